//! Headings that say what a thing is called and what it is for, as Macaulay2's documentation has them on every page.
//!
//! ```html
//! <title>ebb -- fall of the water</title> … <h1>ebb -- fall of the water</h1>
//! ```

use crate::indexer::document::Document;

const SIGN: &str = " -- ";

const MAX_NAME_CHARS: usize = 80; // A longer beginning is a sentence.

/// Makes the name in such a heading one of the page's, and its purpose the description where there is none. The site's name
/// stands behind the sign in a `<title>` alone.
pub(super) fn define(document: &mut Document, title_element: &str) {
    if document.title != title_element {
        return;
    }
    let Some((name, purpose)) = document.title.split_once(SIGN) else {
        return;
    };
    let (name, purpose) = (name.trim(), purpose.trim());
    if name.is_empty() || purpose.is_empty() || name.chars().count() > MAX_NAME_CHARS {
        return;
    }
    if document.description.is_empty() {
        purpose.clone_into(&mut document.description);
    }
    document.names.push(name.to_owned());
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use crate::indexer::options::InputOptions;

    fn names_and_description(html: &str) -> (Vec<String>, String) {
        let read = parse("a.html", html, &InputOptions::default());
        read.map(|page| (page.names, page.description))
            .unwrap_or_default()
    }

    #[test]
    fn a_heading_with_a_purpose_names_the_page_and_describes_it() {
        let html = |title: &str, heading: &str| {
            format!("<title>{title}</title><h1>{heading}</h1><p>The object ebb is a function.</p>")
        };
        let title = "ebb -- fall of the water";
        let (names, description) = names_and_description(&html(title, title));
        assert_eq!(names, ["ebb"]);
        assert_eq!(description, "fall of the water");
        let (names, description) = names_and_description(&html("Ebb -- Tides", "Ebb"));
        assert!(names.is_empty() && description.is_empty());
    }
}
