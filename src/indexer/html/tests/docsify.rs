//! Docsify's shell of a site.

use super::read;

#[test]
fn a_shell_is_told_by_its_script_and_says_what_its_addresses_are() {
    let shell = |mode: &str, src: &str| {
        let page = read(&format!(
            "<title>Tides</title><body><div id=app></div><script>window.$docsify = {{
            name: 'Tides',
            {mode}
            }}</script><script src='{src}'></script>"
        ));
        assert_eq!(
            (page.sections.len(), page.facts.generator.as_str()),
            (0, "docsify")
        );
        page.facts.classes.contains("docsify-history")
    };
    assert!(shell("routerMode: 'history',", "//cdn.x.org/npm/docsify@4"));
    assert!(!shell("// routerMode: 'history',", "lib/docsify.min.js"));
    assert!(!shell(
        "routerMode: 'hash',",
        "//cdn.x.org/npm/docsify/lib/docsify.js"
    ));
}
