use super::*;
use crate::indexer::DocumentSection;
use crate::indexer::site::tests::page;

#[test]
fn a_name_that_most_titles_end_with_is_the_sites() {
    let mut documents = vec![
        page("index.html", "My Site", "My Site"),
        page("a.html", "A | My Site", "A | My Site"),
        page("b.html", "B", "B | My Site"),
        page("c.html", "C - D | My Site", "C - D | My Site"),
        page("d.html", "This | That", "This | That | My Site"),
    ];
    settle(&mut documents);
    let titles: Vec<&str> = documents.iter().map(|d| d.title.as_str()).collect();
    assert_eq!(titles, ["My Site", "A", "B", "C - D", "This | That"]);
}

#[test]
fn a_title_that_a_theme_gives_to_all_pages_is_that_which_is_told_to_others() {
    let site = |for_others: [&str; 4]| -> Vec<String> {
        let pages = ["a", "b", "c", "d"].into_iter().zip(for_others);
        let mut documents: Vec<Document> = pages
            .map(|(name, other)| {
                let mut page = page(&format!("{name}.html"), &format!("1. {name}"), "Sea Blog");
                page.facts.n_h1 = 2;
                page.facts.og_title = other.to_owned();
                page
            })
            .collect();
        settle(&mut documents);
        documents.into_iter().map(|d| d.title).collect()
    };
    assert_eq!(
        site(["Ebb", "Flood", "Neap", "Spring"]),
        ["Ebb", "Flood", "Neap", "Spring"]
    );
    assert_ne!(site(["Sea Blog"; 4])[0], "Sea Blog");

    // Pages without a heading.
    let mut documents: Vec<Document> = ["Ebb", "Flood", "Neap", "Spring"]
        .map(|name| {
            let mut page = page(&format!("{name}.html"), "Sea Blog", "Sea Blog");
            page.facts.og_title = name.to_owned();
            page
        })
        .into();
    settle(&mut documents);
    let titles: Vec<&str> = documents.iter().map(|d| &*d.title).collect();
    assert_eq!(titles, ["Ebb", "Flood", "Neap", "Spring"]);
}

#[test]
fn a_sites_name_with_the_version_of_each_page_is_no_part_of_a_title() {
    let of = |version: &str, file: &str, element: &str| {
        page(&format!("docs/{version}/{file}.html"), "", element)
    };
    let mut documents = Vec::new();
    for file in ["a", "b", "c", "d"] {
        documents.push(of("9", file, &format!("Tide {file} - Sea v9.9.3")));
        documents.push(of("8", file, &format!("Sea v8.2.0: Tide {file}")));
        documents.push(of(
            "7",
            file,
            &format!("Ebb {file} — Sea v7.1 documentation"),
        ));
    }
    documents.push(of("9", "e", "Ebb 1.2: a history - Sea v9.9.3"));
    let own = |documents: &[Document]| -> Vec<String> {
        let names = Names::of(documents);
        let own = |d: &Document| names.without(&d.path, &d.facts.title_element).to_owned();
        documents.iter().map(own).collect()
    };
    let found = own(&documents);
    assert_eq!(found[0], "Tide a");
    assert_eq!(found[1], "Tide a");
    assert_eq!(found[2], "Ebb a — Sea v7.1 documentation", "of few pages");
    assert_eq!(found[12], "Ebb 1.2: a history");
    let sections = (1..9).map(|n| of("9", &n.to_string(), &format!("Section 4.{n}: Ebb {n}")));
    let numbered = own(&sections.collect::<Vec<_>>());
    assert_eq!(numbered[0], "Section 4.1: Ebb 1");
}

#[test]
fn a_name_that_the_titles_of_a_folder_end_with_is_its_books() {
    let of_book = |file: &str, title: &str| {
        let element = format!("{title} - The Book");
        page(&format!("book/{file}.html"), title, &element)
    };
    let mut documents = vec![
        of_book("a", "A"),
        of_book("b", "B"),
        of_book("c", "C - D"),
        page("book/d.html", "Threads - The Book", "Threads - The Book"),
        page("std/v.html", "Vec - The Book", "Vec"),
    ];
    documents
        .extend(["w", "x", "y", "z"].map(|file| page(&format!("std/{file}.html"), file, file)));
    assert_eq!(
        titles_of(&mut documents)[..5],
        ["A", "B", "C - D", "Threads", "Vec - The Book"]
    );
}

#[test]
fn a_name_that_the_titles_at_the_root_end_with_is_the_sites() {
    let mut documents: Vec<Document> = ["A", "B", "C - D", "Tides"]
        .map(|title| page(&format!("{title}.html"), title, &format!("{title} - Sea")))
        .into();
    documents.push(page("E.html", "E - Sea", "E - Sea"));
    documents.extend(
        ["u", "v", "w", "x", "y", "z"].map(|file| page(&format!("api/{file}.html"), file, file)),
    );
    assert_eq!(titles_of(&mut documents)[4], "E");
    for document in &mut documents[..5] {
        document.title = format!("Sea – {}", document.title);
        document.facts.title_element.clone_from(&document.title);
    }
    assert_eq!(titles_of(&mut documents)[..2], ["A", "B"]);
}

#[test]
fn few_pages_have_no_name_in_common_unless_they_say_it() {
    let mut documents = vec![
        page("a.html", "A - X", "A - X"),
        page("b.html", "B - X", "B - X"),
    ];
    settle(&mut documents);
    assert_eq!(documents[0].title, "A - X");
    documents[0].facts.site_name = "X".into();
    settle(&mut documents);
    assert_eq!(
        (documents[0].title.as_str(), documents[1].title.as_str()),
        ("A", "B")
    );
}

#[test]
fn a_heading_of_most_pages_is_the_projects() {
    let of = |name: &str| {
        let element = format!("{name} - Crystal 1.6.0");
        headed(&format!("{name}.html"), &["Crystal"], &element)
    };
    let mut documents: Vec<Document> = ["Array", "Hash", "Int8", "UDPSocket"].map(of).into();
    assert_eq!(
        titles_of(&mut documents),
        ["Array", "Hash", "Int8", "UDPSocket"]
    );
}

#[test]
fn a_title_that_is_a_number_is_the_heading_behind_it() {
    let element = "Prolog 9 Manual: Section A.24";
    let mut documents: Vec<Document> = ["a", "b", "c", "d"]
        .map(|name| page(&format!("{name}.html"), element, element))
        .into_iter()
        .map(|d| d.section("A.24 library(lists): List Manipulation", "lists", "Text."))
        .collect();
    documents.push(page("e.html", "Section B", "Section B"));
    let titles = titles_of(&mut documents);
    assert_eq!(titles[0], "library(lists): List Manipulation");
    assert_eq!(titles[4], "Section B");
}

#[test]
fn the_name_in_a_books_summary_is_the_title() {
    let heading = "Kernel Booting Process - Part 1";
    let element = "From bootloader to kernel · Linux";
    let mut documents = vec![headed("a.html", &[heading], element)];
    documents.extend(
        ["b", "c", "d"].map(|n| headed(&format!("{n}.html"), &[n], &format!("{n} · Linux"))),
    );
    assert_eq!(titles_of(&mut documents)[0], heading);
    documents[0] = headed("a.html", &[heading], element);
    documents[0].facts.generator = "HonKit 6.1.7".into();
    assert_eq!(titles_of(&mut documents)[0], "From bootloader to kernel");
}

#[test]
fn what_yard_documents_is_called_by_its_name() {
    let of = |kind: &str, name: &str, mark: &str| {
        let element = format!("{kind}: {name} — YARD 0.9.28 Documentation");
        let path = format!("{}.html", name.replace("::", "/"));
        headed(&path, &[&format!("{kind}: {name}{mark}")], &element)
    };
    let mut documents = vec![
        of("Module", "YARD::Registry", ""),
        of("Class", "YARD::Handlers::Base", " Abstract"),
        of("Exception", "YARD::Error", ""),
    ];
    let wanted = ["YARD::Registry", "YARD::Handlers::Base", "YARD::Error"];
    assert_eq!(titles_of(&mut documents), wanted);
    let kinds: Vec<&str> = documents.iter().map(|d| d.kind.as_str()).collect();
    assert_eq!(kinds, ["module", "class", "exception"]);
}

#[test]
fn kinds_behind_names_are_read_where_many_pages_say_them() {
    let classes = |n: usize| -> Vec<Document> {
        let of = |i| headed(&format!("q{i}.html"), &[&format!("QThing{i} Class")], "");
        let mut documents: Vec<Document> = (0..n).map(of).collect();
        documents.push(headed("a.html", &["A long Class"], ""));
        settle(&mut documents);
        documents
    };
    let of = |d: &Document| (d.title.clone(), d.kind.clone());
    let many = classes(20);
    assert_eq!(of(&many[0]), ("QThing0".into(), "class".into()));
    assert_eq!(of(&many[20]), ("A long Class".into(), String::new()));
    assert_eq!(of(&classes(19)[0]), ("QThing0 Class".into(), String::new()));
}

#[test]
fn kinds_before_names_are_read_where_many_pages_say_them() {
    let of = |i| headed(&format!("s{i}.html"), &[&format!("Class Sea{i}<T>")], "");
    let mut documents: Vec<Document> = (0..20).map(of).collect();
    documents.push(headed("f.html", &["Function: useSea()"], ""));
    documents.push(headed("g.html", &["Class diagrams in use"], ""));
    settle(&mut documents);
    let of = |d: &Document| (d.title.clone(), d.kind.clone());
    assert_eq!(of(&documents[0]), ("Sea0".into(), "class".into()));
    assert_eq!(of(&documents[20]), ("useSea".into(), "function".into()));
    let guide = "Class diagrams in use".to_owned();
    assert_eq!(of(&documents[21]), (guide, String::new()));
}

#[test]
fn a_title_of_all_pages_is_none_of_theirs() {
    let of = |name: &str| {
        let document = page(&format!("{name}.html"), "Documentation", "Documentation");
        document.section(name, "", "Text.")
    };
    let mut documents: Vec<Document> = ["BestFit", "Drawing", "Pdf", "Xls"].map(of).into();
    // A page that its own heading calls so, and the first page of the site, keep it.
    let headed = headed("home.html", &["Documentation"], "Documentation");
    documents.push(headed.section("Start", "start", "Text."));
    let first = page("index.html", "Documentation", "Documentation");
    documents.push(first.section("Packages", "packages", "Text."));
    assert_eq!(
        titles_of(&mut documents),
        [
            "BestFit",
            "Drawing",
            "Pdf",
            "Xls",
            "Documentation",
            "Documentation"
        ]
    );
}

#[test]
fn the_projects_name_above_each_source_is_no_title() {
    let source = |path: &str, next: &str| {
        let mut document = page(path, "Fastify", "");
        document = document.section(next, "", "Text.");
        document.sections.last_mut().expect("it was added").level = 2;
        document
    };
    let mut documents = vec![
        source("hooks.md", "Hooks"),
        source("server.md", "Server"),
        source("index.md", ""),
        page("other.md", "Other", "").section("More", "", "Text."),
    ];
    assert_eq!(
        titles_of(&mut documents),
        ["Hooks", "Server", "Fastify", "Other"]
    );
    assert!(documents[0].sections[0].heading.is_empty());
}

#[test]
fn numbers_of_sections_are_no_part_of_titles() {
    let titles = [
        ("4.15 Hash Tables", "Hash Tables"),
        ("4.15.1. Additional Functions", "Additional Functions"),
        ("Chapter 21. Tools", "Tools"),
        ("A.2 Grammar", "Grammar"),
        ("Appendix B Licenses", "Licenses"),
        ("A guide", "A guide"),
        ("0012. Use records", "0012. Use records"),
        ("2024 in review", "2024 in review"),
        ("1.2.3 (2024)", "1.2.3 (2024)"),
    ];
    let page_of =
        |(i, (title, _)): (usize, &(&str, &str))| headed(&format!("{i}.html"), &[title], title);
    let mut documents: Vec<Document> = titles.iter().enumerate().map(page_of).collect();
    assert_eq!(titles_of(&mut documents), titles.map(|(_, wanted)| wanted));
    assert_eq!(documents[0].keywords, ["4.15"]);
    assert!(documents[0].sections[0].heading.is_empty());
    // One numbered page of many is called so.
    let mut documents: Vec<Document> = ["7 Wonders", "Mooring", "Sails", "Tides", "Knots"]
        .iter()
        .map(|title| headed(&format!("{title}.html"), &[title], title))
        .collect();
    assert_eq!(titles_of(&mut documents)[0], "7 Wonders");
}

/// A page whose content is headed so, its own heading first.
fn headed(path: &str, h1s: &[&str], element: &str) -> Document {
    let mut document = page(path, h1s[0], element);
    document.facts.n_h1 = h1s.len() as u32;
    for h1 in h1s {
        document = document.section(*h1, "", "Text.");
        document.sections.last_mut().expect("it was added").level = 1;
    }
    document
}

fn titles_of(documents: &mut [Document]) -> Vec<&str> {
    settle(documents);
    documents.iter().map(|d| d.title.as_str()).collect()
}

#[test]
fn names_of_sites_stand_before_titles_and_in_brackets_too() {
    let mut documents = vec![
        page("a.html", "Eigen: Maps", "Eigen: Maps"),
        page("b.html", "Eigen: Blocks", "Eigen: Blocks"),
        page("c.html", "Eigen: a: b", "Eigen: a: b"),
        page("d.html", "Eigen: ", "Eigen: "),
    ];
    assert_eq!(
        titles_of(&mut documents),
        ["Maps", "Blocks", "a: b", "Eigen: "]
    );
    let javadoc = |path, h1: &str, name: &str| headed(path, &[h1], &format!("{name} (SE 17)"));
    let mut documents = vec![
        javadoc("Map.html", "Interface Map<K,V>", "Map"),
        javadoc("String.html", "Class String", "String"),
        javadoc("net.html", "Package java.net", "java.net"),
        javadoc("help.html", "JavaDoc Help", "API Help"),
    ];
    assert_eq!(
        titles_of(&mut documents),
        ["Map", "String", "java.net", "JavaDoc Help"]
    );
    let kinds: Vec<&str> = documents.iter().map(|d| d.kind.as_str()).collect();
    assert_eq!(kinds, ["interface", "class", "package", ""]);
    assert!(documents.iter().all(|d| d.sections[0].heading.is_empty()));
    let texinfo = |name: &str| {
        let title = format!("{name} (GNU Octave (version 7))");
        page(&format!("{name}.html"), &title, &title)
    };
    let mut documents: Vec<Document> = ["A", "B", "C", "D"].map(texinfo).into();
    documents.push(page("e.html", "E (", "E ("));
    assert_eq!(titles_of(&mut documents), ["A", "B", "C", "D", "E ("]);
}

#[test]
fn a_heading_of_many_pages_or_one_of_several_is_no_title() {
    let mut documents = vec![
        headed("Maybe.html", &["Documentation"], "Data.Maybe"),
        headed("List.html", &["Documentation"], "Data.List"),
        headed("Char.html", &["Documentation"], "Data.Char"),
        headed(
            "wal.html",
            &["Overview", "How it works"],
            "Write-Ahead Logging",
        ),
        headed("fts.html", &["1. Introduction"], "Full-Text Search"),
        // Said in other words, once, and said by many pages that no `<title>` tells apart.
        headed("start.html", &["Getting started"], "Installation"),
        headed("x.html", &["Same"], "Docs"),
        headed("y.html", &["Same"], "Docs"),
        headed("z.html", &["Same"], "Docs"),
        headed("run.html", &["Running", "Stopping"], "Running it"),
    ];
    let wanted = [
        "Data.Maybe",
        "Data.List",
        "Data.Char",
        "Write-Ahead Logging",
        "Full-Text Search",
        "Getting started",
        "Same",
        "Same",
        "Same",
        "Running",
    ];
    assert_eq!(titles_of(&mut documents), wanted);
    // The heading is a section's, where it was not the page's.
    assert_eq!(documents[0].sections[0].heading, "Documentation");
    assert_eq!(documents[5].sections[0].heading, "");
}

#[test]
fn the_name_in_menus_is_another_name_of_its_page() {
    // MkDocs writes what `nav:` says into the `<title>`, and the page's own heading below.
    let mut documents: Vec<Document> = [
        (
            "v2.8.0/provider/doppler/index.html",
            "Doppler SecretOps Platform",
            "Doppler",
        ),
        (
            "v2.4.1/provider/doppler/index.html",
            "Doppler SecretOps Platform",
            "Doppler",
        ),
        ("v2.8.0/roadmap/index.html", "The road to GA", "Roadmap"),
        ("v2.8.0/a/index.html", "All of A", "Overview"),
        ("v2.8.0/b/index.html", "All of B", "Overview"),
        ("v2.8.0/c/index.html", "Secrets", "Secrets"),
        ("v2.8.0/d/index.html", "Keys", "3.1 Keys"),
    ]
    .iter()
    .map(|(path, title, element)| headed(path, &[title], &format!("{element} - External Secrets")))
    .collect();
    settle(&mut documents);
    let names: Vec<String> = documents.iter().map(|d| d.names.join(", ")).collect();
    assert_eq!(names, ["Doppler", "Doppler", "Roadmap", "", "", "", ""]);
    assert_eq!(documents[0].title, "Doppler SecretOps Platform");
    let words: Vec<String> = documents.iter().map(|d| d.keywords.join(", ")).collect();
    let shared = ["Overview", "Overview"];
    assert_eq!(words[..3], names[..3]);
    assert_eq!(words[3..5], shared, "words of few pages' titles are theirs");
    assert_eq!(words[5..], ["", ""]);
}

#[test]
fn a_title_that_ends_with_its_separator_names_no_page() {
    let page = |path, h1s: &[&str], title: &str| headed(path, h1s, title);
    let mut documents = vec![
        page(
            "orp.html",
            &["Welcome to the project", "News", "Lists"],
            "Lucene -",
        ),
        page("a.html", &["Ebb", "News", "Lists"], "Lucene - Tides"),
        page("b.html", &["Flow"], "Lucene - Flow"),
        page("c.html", &["Sea"], "Lucene - Sea"),
        page("d.html", &["Bay"], "Lucene - Bay"),
    ];
    assert_eq!(
        titles_of(&mut documents),
        ["Welcome to the project", "Tides", "Flow", "Sea", "Bay"]
    );
}

#[test]
fn a_type_of_doxygens_is_found_by_its_own_name_and_a_specialization_keeps_its_arguments() {
    let of = |file: &str, title: &str| {
        let mut page = page(
            &format!("d1/d2/{file}.html"),
            title,
            &format!("Sea: {title}"),
        );
        page.facts.generator = "Doxygen 1.9.4".into();
        page
    };
    let mut documents = vec![
        of("classsea_1_1Ebb", "sea::Ebb< T > Class Template Reference"),
        of(
            "classsea_1_1Ebb_3_01int_01_4",
            "sea::Ebb< int > Class Template Reference",
        ),
        of("ebb_8h", "ebb.h File Reference"),
        of("group__tides", "Tides and seas"),
    ];
    settle(&mut documents);
    let found = documents
        .iter()
        .map(|d| (d.title.as_str(), d.kind.as_str(), d.names.join(" ")));
    assert_eq!(
        found.collect::<Vec<_>>(),
        [
            ("sea::Ebb", "class", "Ebb".to_owned()),
            ("sea::Ebb< int >", "class", String::new()),
            ("ebb.h", "file", String::new()),
            ("Tides and seas", "module", String::new()),
        ]
    );
}

#[test]
fn the_number_of_an_annex_before_a_heading_that_repeats_the_title_is_no_part_of_it() {
    let mut numbered = page("a-4-2.html", "A.4.2 The Maps", "The Maps");
    numbered.facts.n_h1 = 1;
    numbered.sections = vec![DocumentSection {
        heading: "A.4.2 The Maps".into(),
        level: 1,
        text: "They map.".into(),
        ..DocumentSection::default()
    }];
    let mut documents = vec![numbered, page("b.html", "B.1 Other", "Something else")];
    settle(&mut documents);
    assert_eq!(
        (documents[0].title.as_str(), documents[1].title.as_str()),
        ("The Maps", "B.1 Other")
    );
    assert_eq!(documents[0].names, ["A.4.2"]);
    assert_eq!(documents[0].outline(), [(0, "", "", "They map.")]);
}

#[test]
fn a_heading_of_the_sites_name_and_the_title_is_the_title() {
    let titles = ["Ebb", "Flood", "Neap", "Spring"];
    let of = |(n, title): (usize, &str)| {
        let heading = format!("The Sea Chapter {n} - {title}");
        headed(
            &format!("{n}.html"),
            &[&heading],
            &format!("The Sea - {title}"),
        )
    };
    let mut documents: Vec<Document> = titles.into_iter().enumerate().map(of).collect();
    documents.push(headed("ebbs.html", &["The Seaweed Ebb"], "The Sea - Ebb"));
    let settled = titles_of(&mut documents);
    assert_eq!(
        settled,
        ["Ebb", "Flood", "Neap", "Spring", "The Seaweed Ebb"]
    );
}

#[test]
fn names_of_books_stand_before_titles_too() {
    let of = |folder: &str, n: usize| {
        let title = format!("Sea ({folder}) - Chapter {n}: Tide {n}");
        page(
            &format!("{folder}/{n}.html"),
            &format!("{n} Tide {n}"),
            &title,
        )
    };
    let pages = ["ref", "tut"]
        .into_iter()
        .flat_map(|folder| (1..5).map(move |n| (folder, n)));
    let mut documents: Vec<Document> = pages.map(|(folder, n)| of(folder, n)).collect();
    let settled = titles_of(&mut documents);
    assert_eq!(settled[3..5], ["Tide 4", "Tide 1"]);
    assert_eq!(documents[3].keywords, ["4"]);
}

#[test]
fn a_title_of_two_pages_with_other_headings_names_neither() {
    let mut documents = vec![
        headed("a.html", &["HTTP API", "Ebb"], "API Reference"),
        headed("b.html", &["MQTT API", "Ebb"], "API Reference"),
        headed("c.html", &["Recipes", "Ebb"], "Cookbook"),
    ];
    assert_eq!(
        titles_of(&mut documents),
        ["HTTP API", "MQTT API", "Cookbook"]
    );
}
