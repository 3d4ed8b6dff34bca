"""The extension for Sphinx: `extensions = ["knarr.sphinx"]`."""

from . import KnarrError, add_element, build


def _makes_a_site(builder):
    """True for html, dirhtml, singlehtml and the like. Of the HTML that others write, a book (epub, qthelp) or data (json,
    pickle) is made: they have no page for a field, and a book would hold the index."""
    suffix = str(getattr(builder, "out_suffix", ""))
    return builder.format == "html" and suffix.endswith((".html", ".htm")) and not getattr(builder, "embedded", False)


def finish(app, exception):
    """Builds the index after the site, and puts the search field into every page."""
    from sphinx.errors import ExtensionError
    from sphinx.util import logging

    if exception is not None or not _makes_a_site(app.builder):
        return
    try:
        build(app.outdir, f"{app.outdir}/knarr/search", *app.config.knarr_options)
        given = {"answers": app.config.knarr_answers, "attributes": app.config.knarr_attributes}
        pages = add_element(app.outdir, **given) if app.config.knarr_element else 0
    except KnarrError as error:
        raise ExtensionError(str(error)) from error
    logging.getLogger(__name__).info("knarr: search index built; %d pages have the search field", pages)


def setup(app):
    app.add_config_value("knarr_answers", False, "", bool)
    app.add_config_value("knarr_attributes", {}, "", dict)
    app.add_config_value("knarr_element", True, "", bool)
    app.add_config_value("knarr_options", [], "", list)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
