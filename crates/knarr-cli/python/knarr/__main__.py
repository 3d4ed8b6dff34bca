"""`python -m knarr`: the command line, and `init` and `add`, which need the package's files."""

import os
import subprocess
import sys
from pathlib import Path

from . import KnarrError, add_element, command, copy_element

_INIT = """Put the search element's files beside the pages of a built site

Usage: python -m knarr init [--answers] [--pages] <SITE>

Arguments:
  <SITE>   The folder that is published; the files go into its folder "knarr"

Options:
      --answers  Also put the full engine there, which shows sentences of a page over the results where they answer a
                 question clearly, and write the attribute "answer" on the search field
      --pages    Also put the element into every page (with the index in knarr/search)
  -h, --help     Print help"""

_ADD = """Build the index of a built site, and put the search field into its pages

Usage: python -m knarr add <SITE> [OPTIONS]

Arguments:
  <SITE>  The folder that is published; the index and the element's files go into its folder "knarr"

Options:
      --answers  Show sentences of a page over the results, where they answer a question clearly; a page then loads the
                 full engine
  -h, --help     Print help
  Every other option is one of knarr build (see python -m knarr build --help)

The field stands where the theme has room for it. A page that has a <knarr-search> is left as it is."""


_OWN = """
Commands of this package (python -m knarr COMMAND --help):
  add        Build the index of a built site, and put the search field into its pages
  init       Put the search element's files beside the pages of a built site
"""


def add(arguments: "list[str]") -> int:
    if "-h" in arguments or "--help" in arguments:
        print(_ADD)
        return 0
    if not arguments or arguments[0].startswith("-"):
        print("error[INVALID_ARGUMENT]: name the folder of the built site first (see add --help)", file=sys.stderr)
        return 2
    site, *options = (argument for argument in arguments if argument != "--answers")
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
    pages = add_element(site, answers="--answers" in arguments)
    if not any(option in ("-q", "--quiet", "--json") for option in options):
        print(f"{_counted(pages)} the search field now")
    return 0


def _counted(pages: int) -> str:
    return "1 page has" if pages == 1 else f"{pages} pages have"


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
    answers = "--answers" in arguments
    folders = [a for a in arguments if a not in ("--pages", "--answers")]
    if len(folders) != 1 or folders[0].startswith("-"):
        print("error[INVALID_ARGUMENT]: name the folder of the built site (see init --help)", file=sys.stderr)
        return 2
    site = Path(folders[0])
    if not site.is_dir():
        print(f"error[NOT_FOUND]: {site} is not a folder: build the site first", file=sys.stderr)
        return 1
    if "--pages" in arguments:
        print(f"{_counted(add_element(site, answers=answers))} the search field now")
        if not (site / "knarr" / "search" / "index.knarr").is_file():
            print(f"The index is still to be made: python -m knarr build {site} --out {site / 'knarr' / 'search'}")
        return 0
    files = copy_element(site / "knarr", answers)
    is_made, attributes = _places(site)
    print(
        f"{site / 'knarr'}: {files} files\n\nInto the pages' template:\n\n"
        '  <script type="module" src="/knarr/knarr-search.js"></script>\n'
        f'  <knarr-search {attributes}{" answer" if answers else ""}></knarr-search>\n'
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
