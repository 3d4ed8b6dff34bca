/** The sites of `questions.mjs`, in the form of `sites.mjs`: the pages that those who graded had before them. */

/** What Sphinx writes besides pages: listings of the source, files of the theme, indexes, and the page of its own search. */
const SPHINX = ["/_modules", "/_static", "/genindex.html", "/py-modindex.html", "/search.html", "/404.html"];

export const SITES = {
  aiohttp: { package: "python-aiohttp-doc", root: "doc/python-aiohttp-doc/html", exclude: SPHINX },
  borg: { package: "borgbackup-doc", root: "doc/borgbackup/html", exclude: SPHINX },
  celery: { package: "python-celery-doc", root: "doc/python-celery-doc/html", exclude: SPHINX },
  clang: { package: "clang-14-doc", root: "doc/clang-14/html", exclude: SPHINX },
  cmake: { package: "cmake-doc", root: "doc/cmake-data/html", exclude: SPHINX },
  django: { package: "python-django-doc", root: "doc/python-django-doc/html", exclude: SPHINX },
  erlang: {
    package: "erlang-doc",
    root: "doc/erlang-doc",
    include: [
      ...["design_principles", "efficiency_guide", "getting_started", "programming_examples", "reference_manual"].map((guide) => `doc/${guide}/**`),
      ...["kernel", "stdlib"].map((library) => `lib/${library}-*/**`),
    ],
  },
  // Each chapter is there a second time, as ch01.html.
  exim: { package: "exim4-doc-html", root: "doc/exim4-doc-html/spec_html", exclude: ["/ch[0-9]*.html", "/filter_ch[0-9]*.html"] },
  fish: { package: "fish-common", root: "doc/fish", exclude: SPHINX },
  glib: { package: "libglib2.0-doc", root: "gtk-doc/html", exclude: ["*/annotation-glossary.html", "*/api-index-full.html"] },
  gnucash: { package: "gnucash-docs", root: "doc/gnucash-docs", include: ["gnucash-guide-en/**", "gnucash-help-en/**"], exclude: ["*/fdl*.html"] },
  octave: { package: "octave-doc", root: "doc/octave/octave.html", exclude: ["/XREF*", "/fig_*", "/tab_*", "/test_*"] },
  pandas: {
    package: "python-pandas-doc",
    root: "doc/python-pandas-doc/html",
    // The names of before are pages that send to the new ones; each of forty offsets has the same members.
    include: ["/index.html", ...["development", "getting_started", "reference", "user_guide", "whatsnew"].map((part) => `${part}/**`)],
    exclude: ["reference/api/pandas.tseries.offsets.*.*.html"],
  },
  pil: { package: "python-pil-doc", root: "doc/python-pil-doc/html", exclude: SPHINX },
  postfix: { package: "postfix-doc", root: "doc/postfix/html" },
  pytest: { package: "python-pytest-doc", root: "doc/python-pytest-doc/html", exclude: SPHINX },
  qt: { package: "qtbase5-doc-html", root: "qt5/doc", include: ["qtcore/**", "qtgui/**", "qtwidgets/**"], exclude: ["*/*-members.html"] },
  scrapy: { package: "python-scrapy-doc", root: "doc/python-scrapy-doc/html", exclude: SPHINX },
  sklearn: { package: "python-sklearn-doc", root: "doc/python-sklearn-doc/html", exclude: SPHINX },
  sphinx: { package: "sphinx-doc", root: "doc/sphinx-doc/html", exclude: SPHINX },
  sqlalchemy: { package: "python-sqlalchemy-doc", root: "doc/python-sqlalchemy-doc/html", exclude: SPHINX },
  sympy: { package: "python-sympy-doc", root: "doc/python-sympy-doc/html", exclude: SPHINX },
  varnish: { package: "varnish-doc", root: "doc/varnish/html", exclude: SPHINX },
};
