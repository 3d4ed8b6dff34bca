//! Names that themes and generators give to what they put around and into the text of a page.

/// Names of classes, as written or with the hash that CSS modules append (`tableOfContents_bqdL`).
pub(super) const CLASSES: [&str; 152] = [
    // Hidden from people who see the page.
    "sr-only",
    "visually-hidden",
    "visuallyhidden",
    "screen-reader-text",
    "VPSkipLink",
    "skip-link",
    "skipToContent",
    // pkgdown's word for what its own search leaves out.
    "dont-index",
    // What HonKit's own search fills.
    "search-results",
    // Only on paper.
    "print-only",
    "only-print",
    "printonly",
    "visible-print",
    // The headings of the page once more.
    "toc",
    "table-of-contents",
    "tableOfContents",
    "tableOfContentsInline",
    "tocCollapsible",
    "theme-doc-toc-mobile",
    "theme-doc-toc-desktop",
    "page-toc",
    "post-toc",
    "article-toc",
    "on-this-page",
    "tsd-page-navigation",
    "tsd-navigation",
    "tsd-index-panel",
    "tsd-index-group",
    "tsd-hierarchy-summary",
    "col-sidebar",
    "page-menu",
    "site-menu",
    // Bootstrap's messages, and Butterfly's box below a post.
    "toast",
    "post-copyright",
    // Tabs of a sidebar within the content, and who writes the site.
    "sidebar-nav",
    "site-overview-wrap",
    // Where the page stands, and where to go from it.
    "breadcrumb",
    "breadcrumbs",
    "tsd-breadcrumb",
    "nextra-breadcrumb",
    "pagination",
    "pagination-nav",
    "pagination-links",
    "prev-next",
    "prev-next-area",
    "prevnext",
    "links-nextprev",
    "myst-footer-links",
    "post-nav",
    "post-navigation",
    "page-nav",
    "nav-wrapper",
    "nav-wide-wrapper",
    // DocBook's, in the case of either of its stylesheets, texinfo's, and Doxygen's links to the groups of a page.
    "navheader",
    "navfooter",
    "NAVHEADER",
    "NAVFOOTER",
    // Publican's and texi2html's.
    "docnav",
    "nav_table",
    "nav-panel",
    "ingroups",
    // Scribble's, qdoc's and Scaladoc's.
    "tocset",
    "navsettop",
    "navsetbottom",
    "navigationbar",
    "morelinks",
    // Where the page comes from.
    "theme-last-updated",
    "last-updated",
    "lastupdated",
    "lastUpdated",
    "md-source-file",
    "md-content__button",
    "theme-edit-this-page",
    "edit-this-page",
    "edit-page",
    "edit-link",
    "edit-link-button",
    "editthispage",
    "sourcelink",
    "bd-sidebar-secondary",
    "viewcode-link",
    "viewcode-back",
    "mkdocstrings-source",
    "docs-sourcelink",
    "link-seesrc",
    "source_link",
    "sourceLink",
    "headerLink",
    "tsd-sources",
    "tsd-hierarchy",
    "tsd-tag",
    "rule-link",
    // RDoc's listings of methods, and the words that open them; pdoc's, too.
    "method-source-code",
    "method-click-advice",
    "view-source-button",
    // Compodoc's sources of a type.
    "tab-source-code",
    // Jupyter Book's title and list of contents for paper.
    "onlyprint",
    // Dokka's button to copy a link and its footer, quartodoc's link to the source, Nextra's word for links to other sites,
    // and its links to the pages around, which are not for paper.
    "copy-popup-wrapper",
    "footer--container",
    "doc-usage-source",
    "nx-sr-only",
    "print:nx-hidden",
    // DocFX's menu, and the types above a type.
    "toc-offcanvas",
    "typelist",
    // phpDocumentor's menu, what it says of a class beside its name, its list of the members that follow, and where they
    // stand in the sources.
    "phpdocumentor-sidebar",
    "phpdocumentor-element__extends",
    "phpdocumentor-element__implements",
    "phpdocumentor-element__package",
    "phpdocumentor-table-of-contents",
    "phpdocumentor-element-found-in",
    // MediaWiki's address of a page, its links to edit a section and to skip. cppreference's bar of menus stays: it names
    // what is near, by which pages are found.
    "printfooter",
    "mw-editsection",
    "editsection",
    "mw-jump-link",
    // Paradox' buttons over code, its version above a text, and icons that a font makes of words.
    "snippet-button",
    "md-version",
    "md-icon",
    // What pydoctor says of the page and of texts that there are none.
    "categoryHeader",
    "undocumented",
    // Javadoc's and Groovydoc's bars.
    "topNav",
    "subNav",
    "bottomNav",
    // The lines at the head and the foot of mandoc's pages.
    "head-ltitle",
    "head-vol",
    "head-rtitle",
    "foot-date",
    "foot-os",
    // What is shown while a pointer is over a word.
    "tooltip-content",
    "tooltip-text",
    "tooltiptext",
    // Since which version of jQuery there is a member, within its heading.
    "versionAdded",
    "version-details",
    // Nim's list of what a page has, and what it hides of a signature.
    "simple-toc",
    // Of which version the page is.
    "theme-doc-version-badge",
    "mdx-badge",
    "app-vsn",
    // Of which sort a member is (`property`, `class-attribute`), beside its name.
    "doc-labels",
    "tsd-generator",
    // Docsy's tags of a page and of the site, Writerside's header, and its links to the pages around.
    "taxonomy-terms-article",
    "taxonomy-terms-cloud",
    "panel__header",
    "navigation-links",
    "last-modified",
    // The numbers of paragraphs in the margin of Ada's manual.
    "paranum",
    // What TiddlyWiki says of a page beside its text: that it is static, its buttons, its date, its tags.
    "tc-static-alert",
    "tc-tiddler-controls",
    "tc-subtitle",
    "tc-tags-wrapper",
    // PreTeXt's links to the pages around, and the sign that opens a note.
    "ptx-content-footer",
    "ptx-footnote__number",
    // Redoc's list of all that an interface has.
    "menu-content",
    // GAPDoc's contents of a chapter.
    "ChapSects",
];

/// Classes of numbers beside lines of code, and of lines that a book hides.
pub(super) const CODE_CLASSES: [&str; 8] = [
    "boring",
    "lnt",
    "lineno",
    "linenos",
    "linenodiv",
    "gutter",
    "line-numbers-rows",
    "ln",
];

/// Ids of what generators put around each page: Doxygen's title area, its trees and its window of search results,
/// Haddock's header with its menu and its facts of a module, Scaladoc's filter of members, pydoctor's window of search
/// results, dartdoc's menus, Sandcastle's menu, MediaWiki's lines below a title and its categories, GAPDoc's link to the page
/// with other formulas, Slate's button, xml2rfc's sections on what a memo is and whose, Butterfly's column.
pub(super) const IDS: [&str; 23] = [
    "titlearea",
    "main-nav",
    "side-nav",
    "nav-path",
    "MSearchSelectWindow",
    "MSearchResultsWindow",
    "package-header",
    "module-header",
    "mbrsel",
    "search-results-container",
    "showPrivate",
    "dartdoc-sidebar-left",
    "dartdoc-sidebar-right",
    "leftNav",
    "siteSub",
    "contentSub",
    "jump-to-nav",
    "catlinks",
    "mathjaxlink",
    "nav-button",
    "section-boilerplate.1",
    "section-boilerplate.2",
    "aside-content",
];
