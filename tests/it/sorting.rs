//! Results in the order of a field: the rules of Pagefind's sorting, against a dull twin.

use crate::support::{Opened as Shop, Random};
use knarr::answers::Skipped;
use knarr::indexer::Document;
use knarr::{ErrorKind, FindOptions};

trait Titled {
    fn titles(&self, question: &str, options: &FindOptions) -> Vec<String>;
}

impl Titled for Shop {
    fn titles(&self, question: &str, options: &FindOptions) -> Vec<String> {
        let found = self.ask(question, options).unwrap();
        let titles = found.resources.into_iter().map(|row| row.title);
        titles.collect()
    }
}

fn page(title: &str, text: &str, sorts: &[&str], tags: &[&str]) -> Document {
    let owned = |list: &[&str]| list.iter().map(|&one| one.to_owned()).collect();
    Document {
        sorts: owned(sorts),
        tags: owned(tags),
        ..Document::new(format!("{title}.md"), title, text)
    }
}

fn shop() -> Shop {
    let pages = [
        page(
            "nine",
            "A beautiful red kite with a tail.",
            &["price=9", "name=Éole"],
            &["price=cheap"],
        ),
        page(
            "ten",
            "A red kite, a red kite, a beautiful red kite.",
            &["price=10.5", "name=bora"],
            &["wind=weak"],
        ),
        page(
            "minus",
            "The kite is blue, the tail is red.",
            &["price=-2", "name=Mistral"],
            &["wind=weak"],
        ),
        page("blue", "A blue kite.", &["price=1", "name=zephyr"], &[]),
        page("free", "A red kite for nothing.", &[], &["name2=x"]),
        page("tagged", "Another red kite.", &[], &["price=3"]),
    ];
    let mut pages = pages.to_vec();
    for (at, page) in (1..).zip(&mut pages) {
        page.updated_at = Some(at * 10);
    }
    Shop::of(pages)
}

#[test]
fn values_order_the_pages_that_have_all_words() {
    let shop = shop();
    let sorted = |question: &str, key: &str| shop.titles(question, &FindOptions::new().sort(key));
    // Numbers: 10.5 is more than 9. A page without a price is left out, and so is one without all of the words.
    assert_eq!(
        sorted("red kite", "price"),
        ["minus", "tagged", "nine", "ten"]
    );
    assert_eq!(
        sorted("red kite", "-price"),
        ["ten", "nine", "tagged", "minus"]
    );
    assert_eq!(
        sorted("the kites", " PRICE "),
        ["minus", "blue", "tagged", "nine", "ten"]
    );
    assert_eq!(sorted("kite tail", "price"), ["minus", "nine"]);
    // Texts without regard to case.
    assert_eq!(sorted("kite", "name"), ["ten", "minus", "blue", "nine"]);
    assert_eq!(sorted("kite", "-name"), ["nine", "blue", "minus", "ten"]);
    assert_eq!(
        sorted("red kite", "-updated_at"),
        ["tagged", "free", "minus", "ten", "nine"]
    );
    // A mistyped word is read as it is elsewhere; one that the site lacks is asked of no page.
    assert_eq!(sorted("beautifull kite", "price"), ["nine", "ten"]);
    assert_eq!(
        sorted("red kite xyzzyqwv", "price"),
        sorted("red kite", "price")
    );
}

#[test]
fn pages_and_filters_hold_in_that_order() {
    let shop = shop();
    let all = shop
        .ask("red kite", &FindOptions::new().sort("price"))
        .unwrap();
    assert!(all.resources.is_sorted_by(|a, b| a.score > b.score));
    assert!(
        all.resources
            .iter()
            .all(|row| !row.excerpt.highlights.is_empty())
    );
    let second = FindOptions::new().sort("price").limit(2).offset(1);
    assert_eq!(shop.titles("red kite", &second), ["tagged", "nine"]);
    let weak = FindOptions::new().sort("-price").tags(["wind=weak"]);
    assert_eq!(shop.titles("red kite", &weak), ["ten", "minus"]);
    let below = FindOptions::new()
        .sort("price")
        .target_uri(["viking://resources/docs/ten.md"]);
    assert_eq!(shop.titles("kite", &below), ["ten"]);
    // A phrase is looked for in the texts, and a word that is left out is.
    let price = FindOptions::new().sort("price");
    assert_eq!(
        shop.titles("\"red kite\"", &price),
        ["tagged", "nine", "ten"]
    );
    assert_eq!(shop.titles("red kite -tail", &price), ["tagged", "ten"]);
}

#[test]
fn what_no_page_has_is_told_and_what_is_no_key_is_refused() {
    let shop = shop();
    let found = shop
        .ask("red kite", &FindOptions::new().sort("size"))
        .unwrap();
    let told = Skipped {
        step: "sort".into(),
        reason: "no page has 'size'; known are name, name2, price, updated_at, wind".into(),
    };
    assert!(found.skipped.contains(&told), "{:?}", found.skipped);
    let plain = shop.titles("red kite", &FindOptions::new());
    assert_eq!(
        found
            .resources
            .into_iter()
            .map(|row| row.title)
            .collect::<Vec<_>>(),
        plain
    );
    for key in ["", "-", " - ", "price=3"] {
        let error = shop
            .ask("red kite", &FindOptions::new().sort(key))
            .expect_err(key);
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{key}");
    }
}

#[test]
fn what_is_sorted_by_is_no_word_of_the_page() {
    let shop = shop();
    assert!(
        shop.titles("price", &FindOptions::new().alpha(0.0))
            .iter()
            .all(|t| t == "nine" || t == "tagged")
    );
    let rows = shop.ask("nine", &FindOptions::new()).unwrap().resources;
    assert_eq!(rows[0].tags, ["price=9", "name=Éole", "price=cheap"]);
}

/// A large site, whose frequent words list a part of their pages only: every page that is found has the words, in the order
/// of a plain sort.
#[test]
fn a_large_site_is_sorted_as_a_small_one() {
    let mut random = Random(0x50f7);
    let words = ["kite", "wind", "tail", "string"];
    let mut all = Vec::new();
    for at in 0..1_500 {
        let held: Vec<&str> = words
            .iter()
            .copied()
            .filter(|w| *w == "kite" || random.below(8) == 0)
            .collect();
        all.push((at, random.below(400), held));
    }
    let shop = Shop::of(all.iter().map(|(at, price, held)| {
        let text = format!("{} page{at}", held.join(" "));
        page(
            &format!("p{at:04}"),
            &text,
            &[&format!("price={price}")],
            &[],
        )
    }));
    for question in ["wind", "kite wind", "wind tail"] {
        let asked: Vec<&str> = question.split(' ').collect();
        let mut want: Vec<(usize, usize)> = all
            .iter()
            .filter(|(_, _, held)| asked.iter().all(|word| held.contains(word)))
            .map(|(at, price, _)| (*price, *at))
            .collect();
        want.sort_unstable();
        let want: Vec<String> = want.iter().map(|(_, at)| format!("p{at:04}")).collect();
        assert!(want.len() > 5, "{question}: {}", want.len());
        let sorted = FindOptions::new().sort("price").limit(2_000);
        assert_eq!(shop.titles(question, &sorted), want, "{question}");
    }
}
