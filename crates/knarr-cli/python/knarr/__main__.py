"""`python -m knarr`: the command line, and `init` and `add`, which need the package's files."""

import os
import subprocess
import sys
from pathlib import Path

from . import KnarrError, add_element, attributes_of, command, copy_element, html_of

_INIT = """Put the search element's files beside the pages of a built site

Usage: python -m knarr init [--answers] [--attribute <NAME=TEXT>]... [--pages] <SITE>

Arguments:
  <SITE>   The folder that is published; the files go into its folder "knarr"

Options:
      --answers  Also put the full engine there, which shows sentences of a page over the results where they answer a
                 question clearly, and write the attribute "answer" on the search field
      --attribute <NAME=TEXT>
                 Write an attribute on the field, such as facets=kind, or related for a switch; repeatable
      --pages    Also put the element into every page (with the index in knarr/search)
  -h, --help     Print help"""

_ADD = """Build the index of a built site, and put the search field into its pages

Usage: python -m knarr add <SITE> [OPTIONS]

Arguments:
  <SITE>  The folder that is published; the index and the element's files go into its folder "knarr"

Options:
      --answers  Show sentences of a page over the results, where they answer a question clearly; a page then loads the
                 full engine
      --attribute <NAME=TEXT>
                 Write an attribute on the field, such as facets=kind, or related for a switch; repeatable
  -h, --help     Print help
  Every other option is one of knarr build (see python -m knarr build --help)

The field stands where the theme has room for it. A page that has a <knarr-search> is left as it is."""


_OWN = """
Commands of this package (python -m knarr COMMAND --help):
  add        Build the index of a built site, and put the search field into its pages
  init       Put the search element's files beside the pages of a built site
"""


def _take_attributes(arguments: "list[str]") -> "tuple[dict[str, str], list[str]]":
    """The attributes that `--attribute` and `--answers` give, and the other arguments."""
    attributes: "dict[str, object]" = {}
    left = []
    rest = iter(arguments)
    for argument in rest:
        name, glued, text = argument.partition("=")
        if name != "--attribute":
            left.append(argument)
            continue
        given = text if glued else next(rest, None)
        if given is None:
            raise ValueError("--attribute needs a value, such as --attribute facets=kind")
        key, equals, value = given.partition("=")
        attributes[key] = value if equals else True
    try:
        written = attributes_of(attributes, "--answers" in left)
    except KnarrError as error:
        raise ValueError(str(error)) from None
    return written, [argument for argument in left if argument != "--answers"]


def add(arguments: "list[str]") -> int:
    if "-h" in arguments or "--help" in arguments:
        print(_ADD)
        return 0
    if not arguments or arguments[0].startswith("-"):
        print("error[INVALID_ARGUMENT]: name the folder of the built site first (see add --help)", file=sys.stderr)
        return 2
    try:
        attributes, (site, *options) = _take_attributes(arguments)
    except ValueError as error:
        print(f"error[INVALID_ARGUMENT]: {error}", file=sys.stderr)
        return 2
    if "--watch" in options:
        print("error[INVALID_ARGUMENT]: --watch is an option of build: the field is put into pages once, after they are written", file=sys.stderr)
        return 2
    if not Path(site).is_dir():
        print(f"error[NOT_FOUND]: {site} is not a folder: build the site first", file=sys.stderr)
        return 1
    # Before the pages are changed: what is put into them is not to be found.
    done = subprocess.run([command(), "build", site, "--out", str(Path(site) / "knarr" / "search"), *options])
    if done.returncode != 0:
        return done.returncode
    pages = add_element(site, attributes=attributes)
    if not any(option in ("-q", "--quiet", "--json") for option in options):
        print(_told(pages))
        print(f"To see it: python -m http.server --directory {site} (browsers load no search into pages that are opened from disk)")
    return 0


def _told(changed: int) -> str:
    if changed == 0:
        return "no page was changed: those that have a search field are left as they are"
    return f"{'1 page has' if changed == 1 else f'{changed} pages have'} the search field now"


def _places(site: Path) -> "tuple[bool, str]":
    """Whether the index of a site is made, and the attributes that lead to it: where `build` puts it, or else where `add` has it."""

    def is_at(*folders: str) -> bool:
        return site.joinpath(*folders, "index.knarr").is_file()

    is_added = not is_at("search") and is_at("knarr", "search")
    # Without `base`, the site's root is the folder around the index.
    return is_added or is_at("search"), 'src="/knarr/search/" base="/"' if is_added else 'src="/search/"'


def init(arguments: "list[str]") -> int:
    if "-h" in arguments or "--help" in arguments:
        print(_INIT)
        return 0
    try:
        more, left = _take_attributes(arguments)
    except ValueError as error:
        print(f"error[INVALID_ARGUMENT]: {error}", file=sys.stderr)
        return 2
    folders = [argument for argument in left if argument != "--pages"]
    if len(folders) != 1 or folders[0].startswith("-"):
        print("error[INVALID_ARGUMENT]: name the folder of the built site (see init --help)", file=sys.stderr)
        return 2
    site = Path(folders[0])
    if not site.is_dir():
        print(f"error[NOT_FOUND]: {site} is not a folder: build the site first", file=sys.stderr)
        return 1
    if "--pages" in arguments:
        print(_told(add_element(site, attributes=more)))
        if not (site / "knarr" / "search" / "index.knarr").is_file():
            print(f"The index is still to be made: python -m knarr build {site} --out {site / 'knarr' / 'search'}")
        return 0
    files = copy_element(site / "knarr", "answer" in more)
    is_made, attributes = _places(site)
    print(
        f"{site / 'knarr'}: {files} files\n\nInto the pages' template:\n\n"
        '  <script type="module" src="/knarr/knarr-search.js"></script>\n'
        f'  <knarr-search {attributes}{html_of(more)}></knarr-search>\n\n'
        "Where the site lies below a path, such as /docs/, put that path before each of these addresses."
    )
    if not is_made:
        print(f"The index is still to be made: python -m knarr build {site}")
    return 0


def main() -> int:
    arguments = sys.argv[1:]
    try:
        if arguments[:1] == ["init"]:
            return init(arguments[1:])
        if arguments[:1] == ["add"]:
            return add(arguments[1:])
        program = command()
    except KnarrError as error:
        print(f"error[NOT_FOUND]: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"error[IO]: {error}", file=sys.stderr)
        return 1
    if arguments in ([], ["--help"], ["-h"], ["help"]):
        code = subprocess.run([program, *arguments]).returncode
        print(_OWN, end="", file=sys.stderr if code else sys.stdout)  # The native command line does not know of these.
        return code
    if sys.platform == "win32":
        return subprocess.run([program, *arguments]).returncode
    os.execv(program, ["knarr", *arguments])


if __name__ == "__main__":
    sys.exit(main())
