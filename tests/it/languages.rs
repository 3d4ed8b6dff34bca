//! Words of other languages than English: their forms, compounds, function words and scripts.

use crate::support::{page, served};
use knarr::Knarr;
use knarr::find::answer::result::FindResult;
use knarr::find::ask::options::{FindOptions, OneOrMany};
use knarr::indexer::Document;
use pollster::block_on;

fn spoken(language: &str, path: &str, title: &str, text: &str) -> Document {
    Document {
        language: Some(language.into()),
        ..page(path, title, text)
    }
}

fn ask(documents: &[Document], language: &str, question: &str) -> FindResult {
    let host = served(documents.to_vec(), language, "");
    let bundle = block_on(Knarr::open(&host)).unwrap();
    block_on(bundle.find(&host, question, &FindOptions::default())).unwrap()
}

fn first(found: &FindResult) -> &str {
    found.resources.first().map_or("", |row| row.title.as_str())
}

/// Places that are marked in the first row.
fn marked(found: &FindResult) -> Vec<String> {
    let excerpt = &found.resources[0].excerpt;
    let units: Vec<u16> = excerpt.text.encode_utf16().collect();
    let mark =
        |[from, to]: &[u32; 2]| String::from_utf16(&units[*from as usize..*to as usize]).unwrap();
    excerpt.highlights.iter().map(mark).collect()
}

#[test]
fn stems_hang_on_accents() {
    let pages = [
        spoken(
            "pt",
            "a.html",
            "Instalação",
            "Como fazer a instalação em um computador.",
        ),
        spoken(
            "pt",
            "b.html",
            "Opções",
            "As opções de um programa, todas as opções.",
        ),
        spoken(
            "pt",
            "c.html",
            "Notas",
            "As configurações ficam em um arquivo.",
        ),
    ];
    assert_eq!(first(&ask(&pages, "pt", "configuração")), "Notas");
    let pages = [
        spoken(
            "ru",
            "a.html",
            "Открытый доступ",
            "Здесь описан доступ к данным.",
        ),
        spoken(
            "ru",
            "b.html",
            "Данные",
            "Здесь описаны данные и открытые файлы.",
        ),
    ];
    assert_eq!(ask(&pages, "ru", "открытые").resources.len(), 2);
}

#[test]
fn a_form_that_the_site_lacks_is_no_mistake() {
    let pages = [
        spoken(
            "uk",
            "a.html",
            "Директиви",
            "Власні директиви, кожна директива та її значення.",
        ),
        spoken(
            "uk",
            "b.html",
            "Компоненти",
            "Кожен компонент має властивості.",
        ),
    ];
    let found = ask(&pages, "uk", "директивою");
    assert_eq!(first(&found), "Директиви");
    assert_eq!(found.resources.len(), 1, "{:?}", found.resources);
    assert!(found.corrections.is_empty(), "{:?}", found.corrections);
}

#[test]
fn beside_english_pages_a_word_in_another_language_has_its_forms() {
    let mut pages: Vec<Document> = (0..6)
        .map(|n| {
            spoken(
                "en",
                &format!("en/{n}.html"),
                &format!("Page {n}"),
                "A right way to set things up.",
            )
        })
        .collect();
    pages.push(spoken(
        "de",
        "de/a.html",
        "Drucker",
        "Einen Drucker richten wir hier gemeinsam ein.",
    ));
    pages.push(spoken(
        "de",
        "de/b.html",
        "Konten",
        "Rechte der Benutzer, die rechte Seite.",
    ));
    let host = served(pages, "en", "");
    let bundle = block_on(Knarr::open(&host)).unwrap();
    let options = FindOptions {
        lang: OneOrMany::Many(vec!["de".into()]),
        ..FindOptions::default()
    };
    let found = block_on(bundle.find(&host, "ich richtete ", &options)).unwrap();
    assert_eq!(first(&found), "Drucker");
    assert!(found.corrections.is_empty(), "{:?}", found.corrections);
}

#[test]
fn a_compound_is_found_by_its_words_and_they_by_it() {
    let printer = "Der Drucker wird hier eingerichtet. Die Einrichtung dauert. Ein Drucker, eine Einrichtung.";
    let pages = [
        spoken(
            "de",
            "a.html",
            "Druckereinrichtung",
            "Was vor dem ersten Ausdruck zu tun ist.",
        ),
        spoken("de", "b.html", "Geräte", printer),
        spoken("de", "c.html", "Paket-Depot", "Wo die Pakete liegen."),
        spoken("de", "d.html", "Netze", "Wie Rechner zusammenfinden."),
    ];
    let titles = |question: &str| -> Vec<String> {
        let rows = ask(&pages, "de", question).resources.into_iter();
        rows.map(|row| row.title).collect()
    };
    assert!(titles("drucker").contains(&"Druckereinrichtung".to_owned()));
    assert_eq!(titles("einrichtungen")[0], "Druckereinrichtung");
    assert_eq!(titles("paketdepot")[0], "Paket-Depot");
}

#[test]
fn an_article_is_no_part_of_its_noun() {
    let pages = [
        spoken(
            "fr",
            "a.html",
            "Ajouter de l’interactivité",
            "Une page qui répond.",
        ),
        spoken("fr", "b.html", "Décrire l'état", "Ce que la page sait."),
    ];
    assert_eq!(
        first(&ask(&pages, "fr", "interactivité")),
        "Ajouter de l’interactivité"
    );
    assert_eq!(
        first(&ask(&pages, "fr", "d'interactivite")),
        "Ajouter de l’interactivité"
    );
    assert_eq!(first(&ask(&pages, "fr", "etat")), "Décrire l'état");
}

#[test]
fn function_words_are_not_marked_beside_others() {
    let pages = [spoken(
        "sv",
        "a.html",
        "Bilder",
        "Hur jag ändrar en bild är lätt att se.",
    )];
    assert_eq!(
        marked(&ask(&pages, "sv", "hur ändrar jag bilden")),
        ["ändrar", "bild"]
    );
}

#[test]
fn pairs_of_letters_are_marked_where_they_are_words() {
    let pages = [spoken(
        "zh",
        "a.html",
        "代理",
        "请把这段前置代码放好。代理的配置写在文件里，见配置代理一节。",
    )];
    assert_eq!(
        marked(&ask(&pages, "zh", "配置代理")),
        ["代理", "配置", "配置代理"]
    );
    let pages = [spoken(
        "ko",
        "a.html",
        "컴포넌트",
        "클라이언트에 컴포넌트를 보냅니다.",
    )];
    assert_eq!(marked(&ask(&pages, "ko", "컴포넌트에서")), ["컴포넌트"]);
}

#[test]
fn words_of_two_scripts_are_two() {
    let pages = [
        spoken("ko", "a.html", "이벤트", "props를 자식에게 전달합니다."),
        spoken("ko", "b.html", "배열", "리스트를 그립니다."),
    ];
    for question in ["props", "props는", "Props를 전"] {
        assert_eq!(first(&ask(&pages, "ko", question)), "이벤트", "{question}");
    }
    assert_eq!(first(&ask(&pages, "ko", "리스ㅌ")), "배열");
}

#[test]
fn marks_do_not_cut_what_is_written_as_one() {
    let pages = [spoken("th", "a.html", "ตัวแปร", "วิธีตั้งชื่อตัวแปรให้ดี")];
    assert_eq!(marked(&ask(&pages, "th", "ตั้งชื่อตัวแปร")), ["ตั้งชื่อตัวแปร"]);
    let pages = [spoken("hi", "a.html", "प्रबंधक", "प्रबंधकों की सूची देखें")];
    assert_eq!(marked(&ask(&pages, "hi", "प्रबंधक")), ["प्रबंधकों"]);
}

#[test]
fn a_correction_is_told_as_typed_and_as_the_rows_spell_it() {
    let pages = [
        spoken(
            "de",
            "a.html",
            "Überblick",
            "Eine Übersicht der Sitzungen, und ein Überblick.",
        ),
        spoken(
            "de",
            "b.html",
            "Mutex",
            "Ein Mutex sperrt, und ein Mutex öffnet. Viele Muts.",
        ),
        spoken(
            "de",
            "c.html",
            "Barometer und Luft",
            "Das barometer misst den Luftdruck.",
        ),
        spoken("de", "d.html", "Muts", "Nichts."),
        spoken(
            "de",
            "e.html",
            "How To Send Data Elsewhere",
            "It goes elsewhere.",
        ),
    ];
    let told = |question| ask(&pages, "de", question).corrections;
    assert_eq!(
        told("elsewere"),
        [["elsewere", "elsewhere"]],
        "all words of the title have capitals"
    );
    assert_eq!(told("Übrsicht"), [["Übrsicht", "Übersicht"]]);
    assert_eq!(
        told("mutx sperrt"),
        [["mutx", "Mutex"]],
        "the word of the first row"
    );
    assert_eq!(
        told("Baromter"),
        [["Baromter", "barometer"]],
        "a text begins with a capital"
    );
}

#[test]
fn another_word_is_no_mistake_for_a_right_one() {
    let pages = [
        spoken(
            "de",
            "a.html",
            "Kanne",
            "Die Kanne steht, sie ersetzen die Kanne.",
        ),
        spoken(
            "de",
            "b.html",
            "Sitzung",
            "Eine Sitzung dauert, sie dauert lange, different.",
        ),
    ];
    let told = |question| ask(&pages, "de", question).corrections;
    assert!(told("ansetzen ").is_empty(), "two other letters");
    assert!(told("besetzen ").is_empty(), "two other letters");
    assert_eq!(told("knane "), [["knane", "Kanne"]]);
    let moved = "a letter that moved";
    assert_eq!(told("diffrenet "), [["diffrenet", "different"]], "{moved}");
    assert_eq!(told("tkanne "), [["tkanne", "Kanne"]]);
    assert_eq!(told("zitzung "), [["zitzung", "Sitzung"]], "a long word");
}

#[test]
fn a_name_that_goes_on_as_it_began_is_no_correction() {
    let pages = [page(
        "a.html",
        "Hooks",
        "Call before_run and useEffect of the serverProxy.",
    )];
    let told = |question| ask(&pages, "en", question).corrections;
    assert!(told("before_r ").is_empty());
    let piece = "its last piece, which is not all there";
    assert_eq!(told("server.prox "), [["prox", "proxy"]], "{piece}");
    assert_eq!(told("use-effct "), [["effct", "effect"]]);
}

#[test]
#[cfg(feature = "full")]
fn pairs_with_kana_count_less_than_kanji() {
    let texts = ["印刷の設定", "保存の設定", "道具", "窓"];
    let pages = texts.map(|text| spoken("ja", &format!("{text}.html"), "頁", text));
    let host = served(pages.to_vec(), "ja", "");
    let bundle = block_on(Knarr::open(&host)).unwrap();
    let terms = block_on(bundle.terms(&host)).unwrap().all;
    let df = |word: &str| {
        terms
            .iter()
            .find(|term| term.words.iter().any(|w| w == word))
            .unwrap()
            .df
    };
    assert!(df("の設") > df("設定"), "{} and {}", df("の設"), df("設定"));
}

#[test]
fn pairs_of_a_word_of_katakana_count_less_than_the_word() {
    let pages = [
        spoken(
            "ja",
            "a.html",
            "プリンスとパンタ",
            "プリンスとパンタ。プリンスとパンタ。",
        ),
        spoken(
            "ja",
            "b.html",
            "印刷",
            "紙を用意して、電源を入れて、それからプリンターを使って印刷します。",
        ),
        spoken("ja", "c.html", "机", "椅子と机。"),
    ];
    for asked in ["プリンター", "プリンタ"] {
        assert_eq!(first(&ask(&pages, "ja", asked)), "印刷");
    }
}

/// Words are passed over by their first bytes before they are looked up; forms of one word must not be.
#[test]
fn forms_of_a_word_are_marked_in_every_script() {
    let marks = [
        (
            "ar",
            "سفينة",
            "بالسفينة يصل البحار إلى المدن البعيدة، وسفينة الملاح كبيرة.",
            &["بالسفينة", "وسفينة"][..],
        ),
        (
            "ar",
            "كتاب",
            "قرأت الكتاب والكتاب الثاني، وهذا كتاب.",
            &["الكتاب", "والكتاب", "كتاب"],
        ),
        ("el", "θάλασσα", "Της θάλασσας τα κύματα.", &["θάλασσας"]),
        (
            "hi",
            "किताब",
            "यह किताब है। किताबों की दुकान।",
            &["किताब", "किताबों"],
        ),
        (
            "ru",
            "книга",
            "Эта книга и другие книги.",
            &["книга", "книги"],
        ),
        (
            "hu",
            "könyv",
            "A könyv és a könyvek.",
            &["könyv", "könyvek"],
        ),
        ("tr", "ekmek", "Ekmek ve ekmekler.", &["Ekmek", "ekmekler"]),
    ];
    for (language, question, text, expected) in marks {
        let pages = [spoken(language, "a.html", "X", text)];
        assert_eq!(marked(&ask(&pages, language, question)), expected);
    }
}

#[test]
fn what_is_typed_is_read_in_the_wanted_language_first() {
    let czech = [
        (
            "Instalace",
            "Instalace systému, instalační média a postup instalace.",
        ),
        ("Paměť", "Zde lze posilit paměť počítače."),
    ];
    let spanish = [
        (
            "Instalación",
            "La instalación del sistema y su soporte de instalación.",
        ),
        (
            "Discos",
            "Los tipos posibles de disco, y sus posibles errores.",
        ),
    ];
    let of = |language: &str, texts: &[(&str, &str)]| -> Vec<Document> {
        let page = |(n, (title, text)): (usize, &(&str, &str))| {
            spoken(language, &format!("{language}/{n}.html"), title, text)
        };
        texts.iter().enumerate().map(page).collect()
    };
    let pages = [of("cs", &czech), of("es", &spanish)].concat();
    for (typed, language, title) in [
        ("instalac", "es", "Instalación"),
        ("instalac", "cs", "Instalace"),
        ("posilbes", "es", "Discos"),
        ("posilt", "cs", "Paměť"),
    ] {
        let found = ask(&pages, language, typed);
        assert_eq!(first(&found), title, "{typed} in {language}");
    }
}
