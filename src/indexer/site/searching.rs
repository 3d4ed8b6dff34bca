//! The page of a site's own search, in any language: by its address, and by what stands on it or its title.

/// Class of a page with the place for what a search finds, or with the script that fills it.
pub(in crate::indexer) const RESULTS: &str = "has-place-of-results";

/// Names of files that generators and people give the page: English, and those of translated addresses.
const NAMES: &str = "search search-results search_results searchresults suche suchen recherche rechercher buscar \
    busqueda buscador busca pesquisa pesquisar ricerca cerca zoeken zoek sok sog soeg soek haku szukaj \
    wyszukiwarka wyszukiwanie hledat hledani vyhledavani hladat kereses cautare arama ara poisk poshuk pencarian";

/// First words of its titles, in lower case. Japanese, Chinese and Thai write on without a space.
const WORDS: &str = "search suche suchen suchergebnisse durchsuchen recherche rechercher résultats chercher buscar \
    búsqueda buscador resultados busca pesquisa pesquisar procurar ricerca cerca cercar risultati zoeken zoek \
    zoekresultaten sök sökning søg søgning søk søkeresultater haku etsi hakutulokset szukaj wyszukiwanie wyszukaj \
    wyniki hledat hledání vyhledávání vyhledat hľadať vyhľadávanie keresés căutare caută arama ara поиск искать \
    результаты пошук результати търсене αναζήτηση tìm cari pencarian telusuri جستجو بحث البحث חיפוש iskanje \
    pretraga pretraži претрага paieška meklēt meklēšana otsi otsing खोज খোঁজ";
const UNSPACED: [&str; 7] = ["検索", "搜索", "搜尋", "查找", "검색", "찾기", "ค้นหา"];

/// True for the page of the site's own search: it is called so, and has the place of results or a title that says so. The
/// first heading may be the site's name.
pub(super) fn is_search(name: &str, classes: &str, titles: [&str; 2]) -> bool {
    let is_listed = |words: &str, word: &str| words.split_ascii_whitespace().any(|w| w == word);
    let says = |title: &&str| {
        let end = title
            .find(|c: char| !c.is_alphabetic())
            .unwrap_or(title.len());
        title.starts_with("search")
            || is_listed(WORDS, &title[..end])
            || UNSPACED.iter().any(|word| title.contains(word))
    };
    is_listed(NAMES, name) && (is_listed(classes, RESULTS) || titles.iter().any(says))
}

/// True for the id of the place of results.
pub(in crate::indexer) fn is_place_of_results(id: &str) -> bool {
    let id = id.to_ascii_lowercase();
    id.contains("search") && id.contains("result")
}

/// True for a script that searches for Sphinx. Its pages load it only where they search.
pub(in crate::indexer) fn is_script(src: &str) -> bool {
    let end = src.find('?').unwrap_or(src.len());
    src[..end].rsplit('/').next() == Some("searchtools.js")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_a_search_is_told_in_any_language() {
        let is = |name, title| is_search(name, "", [title, ""]);
        for (name, title) in [
            ("search", "search — tides 3.2"),
            ("search", "searching"),
            ("search", "suche — gezeiten"),
            ("search", "rechercher"),
            ("search", "búsqueda"),
            ("search", "検索結果"),
            ("search", "ค้นหา"),
            ("suche", "suche"),
            ("buscar", "resultados de la búsqueda"),
            ("search-results", "поиск"),
        ] {
            assert!(is(name, title), "{name}: {title}");
        }
        for (name, title) in [
            ("search", "tides 3.2"),
            ("searching-text", "suche"),
            ("recherche", "die recherchen des jahres"),
            ("index", "suche"),
        ] {
            assert!(!is(name, title), "{name}: {title}");
        }
        assert!(is_search("search", "a has-place-of-results", ["tides", ""]));
        assert!(!is_search("tides", "has-place-of-results", ["tides", ""]));
    }

    #[test]
    fn a_place_of_results_is_told_by_its_id_and_a_script_by_its_name() {
        assert!(
            is_place_of_results("mkdocs-search-results") && is_place_of_results("searchResults")
        );
        assert!(!is_place_of_results("search") && !is_place_of_results("results"));
        assert!(is_script("../_static/searchtools.js?v=1") && !is_script("research-tools.js"));
    }
}
