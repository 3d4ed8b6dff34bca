//! temporary
use super::document::Document;
pub fn file_abstract(document: &Document) -> String {
    document.description.clone()
}
pub fn file_overview(document: &Document) -> String {
    document.title.clone()
}
pub struct ChildSummary<'a> {
    pub name: &'a str,
    pub title: &'a str,
    pub abstract_: &'a str,
    pub is_dir: bool,
}
pub fn directory_overview(
    title: &str,
    _index_text: Option<&str>,
    _children: &[ChildSummary<'_>],
) -> String {
    title.to_owned()
}
pub fn directory_abstract(overview: &str) -> String {
    overview.to_owned()
}
