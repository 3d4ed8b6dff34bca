//! Names that rows of tables and items of lists define.

use super::read;

fn rows(html: &str) -> Vec<String> {
    let page = read(&format!(
        "<title>T</title><main><h1>Options</h1>{html}</main>"
    ));
    page.sections.into_iter().flat_map(|s| s.rows).collect()
}

#[test]
fn code_in_the_first_cell_of_a_row_is_a_name() {
    let table = "<table><tr><th>Name</th><th>Default</th></tr>
        <tr><td><p><code class=literal><span class=pre>jobs</span></code></p></td><td><code>auto</code></td></tr>
        <tr><td><strong><code>build.target</code></strong></td><td><code>host</code></td></tr>
        <tr><td>The <code>color</code> of all</td><td>x</td></tr><tr><td><code>true</code></td><td>x</td></tr></table>";
    assert_eq!(rows(table), ["jobs", "build.target"]);
    let summary = "<table><tr><td><p><a href=api/x.html><code>merge</code></a>(left)</p></td><td>Merges.</td></tr>
        <tr><td><a href=#own><code>own</code></a></td><td>x</td></tr></table>";
    assert_eq!(rows(summary), ["own"]);
}

#[test]
fn flags_and_keys_with_their_types_are_names_in_any_cell() {
    let table = "<table><tr><td><code>true</code></td><td><code>--no-semi</code></td><td><code>semi: &lt;bool&gt;</code></td>
        <td><code>trailingComma: \"&lt;all|es5|none&gt;\"</code></td><td><code>other</code></td></tr></table>";
    assert_eq!(rows(table), ["--no-semi", "semi", "trailingComma"]);
}

#[test]
fn an_item_that_tells_of_its_code_defines_it() {
    let signed = "<ul><li><code>CARGO_TARGET_DIR</code> — Where it goes.</li><li><code>jobs</code>: how many</li>
        <li>Or <code>color</code>: none</li><li><code>host</code></li></ul>";
    assert_eq!(rows(signed), ["CARGO_TARGET_DIR", "jobs"]);
    let alike = "<ul><li><code>process.env.ROOT</code> <span>1.0</span> the folder</li><li><code>process.env.MODE</code> is one</li>
        <li><code>process.env.PORT</code> is a number</li></ul>";
    assert_eq!(rows(alike).len(), 3);
    assert!(rows(&alike.replace("<li><code>process.env.PORT</code> is", "<li>Never")).is_empty());
    assert!(rows("<ul><li><code>host</code></li><li><code>jobs</code></li><li><code>port</code></li></ul>").is_empty());
}

#[test]
fn terms_without_an_address_define_flags() {
    let list = "<dl><dt class=hdlist1>\n-i\n</dt><dt>--interactive</dt><dd>x</dd><dt>--onto &lt;newbase&gt;</dt><dd>x</dd>
        <dt>-q, --quiet</dt><dd>x</dd><dt>--[no-]autosquash</dt><dd>x</dd><dt>core.fileMode</dt><dd>x</dd><dt>row_count</dt><dd>x</dd>
        <dt>working tree</dt><dd>x</dd><dt>branch</dt><dd>x</dd><dt>etc.</dt><dd>x</dd></dl>";
    let wanted = ["--interactive", "--onto", "--quiet", "--autosquash"];
    assert_eq!(rows(list), wanted);
}

#[test]
fn an_option_of_xfpts_that_opens_a_row_is_a_name() {
    let table = "<table><tr><td><span class=docbook_option>hosts_avoid</span></td><td>Use: <span
        class=docbook_emphasis>sea</span></td></tr></table><p>See <span class=docbook_option>ebb_limit</span>.";
    assert_eq!(rows(table), ["hosts_avoid"]);
}

#[test]
fn names_to_which_texinfos_index_leads_are_names_of_their_section() {
    let places = "<span id=index-tides></span><span id=index-EBB_005fLIMIT></span><p>A limit.<p><a class=index-entry-id
        id=index-R_005fUSER></a>A place. <span id=index-spring-tides></span>Tides.";
    assert_eq!(rows(places), ["EBB_LIMIT", "R_USER"]);
}
