"""The plugin for MkDocs: `plugins: [knarr]`."""

from mkdocs.config import config_options
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, get_plugin_logger

from . import KnarrError, add_element, build

log = get_plugin_logger(__name__)


class KnarrPlugin(BasePlugin):
    """Builds the index after the site, and puts the search field into every page."""

    config_scheme = (
        ("answers", config_options.Type(bool, default=False)),
        ("attributes", config_options.Type(dict, default={})),
        ("element", config_options.Type(bool, default=True)),
        ("options", config_options.ListOfItems(config_options.Type(str), default=[])),
    )

    def on_post_build(self, *, config, **_):
        site = config["site_dir"]
        try:
            # Before the pages are changed: what is put into them is not to be found.
            build(site, f"{site}/knarr/search", *self.config["options"])
            pages = self._add_element(site) if self.config["element"] else 0
        except KnarrError as error:
            raise PluginError(str(error)) from error
        log.info("search index built; %d pages have the search field", pages)

    def _add_element(self, site):
        return add_element(site, answers=self.config["answers"], attributes=self.config["attributes"])
