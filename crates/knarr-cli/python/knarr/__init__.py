"""The command line of Knarr, and the search element for static sites."""

from __future__ import annotations

import functools
import json
import re
import shutil
import subprocess
import sys
import sysconfig
import typing
from pathlib import Path

__all__ = ["KnarrError", "add_element", "build", "command"]

#: The files that a page with the element loads, and in a folder of their own those for answers.
ELEMENT = Path(__file__).parent / "element"
#: The script among them that places the field on pages whose theme is not known.
_PLACER = "knarr-place.js"


class KnarrError(Exception):
    """A command failed. The message is the command line's."""


@functools.lru_cache(maxsize=None)
def _themes() -> "dict[str, typing.Any]":
    """Where themes have room for a search field, and what puts it elsewhere in narrow windows. The commands that need no
    files of the element work in a package that was made without them."""
    try:
        return json.loads((ELEMENT / "places.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        lack = f"this package was made without the element's files ({ELEMENT}): in a checkout, cargo xtask test python makes it"
        raise KnarrError(lack) from None


def command() -> str:
    """Path of the native command line that this package installed."""
    name = "knarr.exe" if sys.platform == "win32" else "knarr"
    for scheme in (None, f"{'nt' if sys.platform == 'win32' else 'posix'}_user"):
        scripts = sysconfig.get_path("scripts", scheme) if scheme else sysconfig.get_path("scripts")
        if scripts and (Path(scripts) / name).is_file():
            return str(Path(scripts) / name)
    found = shutil.which("knarr")
    if found is None:
        raise KnarrError("the command line is not installed beside this package: pip install --force-reinstall knarr")
    return found


def build(site: str | Path, out: str | Path, *options: str) -> None:
    """Builds the bundle `out` of the pages in `site`; `options` are those of `knarr build`."""
    done = subprocess.run(
        [command(), "build", str(site), "--out", str(out), "--quiet", *options],
        capture_output=True, text=True, encoding="utf-8",
    )
    if done.returncode != 0:
        raise KnarrError(done.stderr.strip())


def copy_element(folder: str | Path, answers: bool = False) -> int:
    """Copies the element's files into a folder, with `answers` the full engine's too; their number."""
    _themes()
    files = [file for file in ELEMENT.iterdir() if file.is_file() and file.name not in ("places.json", _PLACER)]
    files += (ELEMENT / "answers").iterdir() if answers else []
    Path(folder).mkdir(parents=True, exist_ok=True)
    for file in files:
        shutil.copy(file, folder)
    return len(files)


_HEAD_END = re.compile(r"</head\s*>", re.IGNORECASE)
_BODY = re.compile(r"<body(\s[^>]*)?>", re.IGNORECASE)


def attributes_of(attributes: "typing.Mapping[str, object] | None" = None, answers: bool = False) -> "dict[str, str]":
    """The attributes of the search field as texts by their names: `True` is a switch, `False` and `None` leave one out, and
    a dictionary is JSON; with `answers` the attribute `answer` is among them."""
    given = {**({"answer": True} if answers else {}), **(attributes or {})}
    for name in given:
        if not isinstance(name, str) or not re.fullmatch("[a-z][a-z-]*", name):
            raise KnarrError(f"attributes: “{name}” is no name of an attribute")
        if name in ("src", "from", "base"):
            raise KnarrError(f"attributes: {name} leads to the index, and is written for it")

    def text(value: object) -> str:
        if value is True:
            return ""
        return json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else str(value)

    return {name: text(value) for name, value in given.items() if value is not False and value is not None}


def html_of(attributes: "typing.Mapping[str, str]") -> str:
    """Attributes as they are written into a page, each with a space before it. Letters beyond ASCII are references: a page
    may be in any encoding."""

    def escaped(text: str) -> str:
        return re.sub(r'[&"<>]|[^\x20-\x7e]', lambda sign: f"&#{ord(sign[0])};", text)

    return "".join(f' {name}="{escaped(text)}"' if text else f" {name}" for name, text in attributes.items())


def add_element(
    site: str | Path,
    folder: str = "knarr",
    answers: bool = False,
    attributes: "typing.Mapping[str, object] | None" = None,
) -> int:
    """Copies the element's files to `site/folder` and puts the element into every page, with these attributes; the number
    of pages changed."""
    site = Path(site)
    written = attributes_of(attributes, answers)
    copy_element(site / folder, "answer" in written)
    changed = 0
    is_loose = False
    for page in sorted(site.rglob("*")):
        if page.suffix.lower() not in (".html", ".htm"):
            continue  # Not .xhtml: what HTML forgives, XML refuses.
        if page.is_symlink() or not page.is_file():
            continue  # A folder of that name, or what a link leads to, which may be no page of this site.
        # Bytes and not text: Python would turn the page's line ends into the machine's.
        text = page.read_bytes().decode("utf-8", "surrogateescape")
        root = "../" * (len(page.relative_to(site).parts) - 1) or "./"
        if page == site / "404.html":
            root = _root_of(site, text) or root  # Hosts answer with this page at any address below the site.
        with_element = put(text, root, folder, written)
        is_loose = is_loose or f'/{_PLACER}"></script>' in with_element
        if with_element != text:
            page.write_bytes(with_element.encode("utf-8", "surrogateescape"))
            changed += 1
    if is_loose:
        shutil.copy(ELEMENT / _PLACER, site / folder)
    return changed


def _root_of(site: Path, page: str) -> "str | None":
    """The path of the site's root on its host, by what a page refers to there (`/docs/style.css`, which is `style.css` in
    the site's folder)."""
    for path in re.findall(r"\s(?:href|src)=[\"']?/([^/\"'?#\s>][^\"'?#\s>]*\.\w+)", page):
        names = path.split("/")
        for at in range(len(names)):
            if site.joinpath(*names[at:]).exists():
                return "".join(["/", *(f"{name}/" for name in names[:at])])
    return None


def put(page: str, root: str, folder: str = "knarr", more: "typing.Mapping[str, str] | None" = None) -> str:
    """A page with the element, where its theme has room for it; `root` leads from the page to the site's root. `more` are
    attributes of the element."""
    ended = _HEAD_END.search(page) or _BODY.search(page)  # HTML lets both tags of a head be left out.
    head = ended.start() if ended else -1
    if head < 0 or "<knarr-search" in page or "createElement('knarr-search')" in page:
        return page  # A fragment, or a page whose author put it there.
    place, at = _place(page, head)
    if at < 0:
        return page
    own = f"<style>{place['style']}</style>" if "style" in place else ""
    if "keys" in place:
        own += f"<script>({_themes()['keys']})()</script>"
    if "narrow" in place:
        own += f"<script>({_themes()['move']})({','.join(map(json.dumps, place['narrow']))})</script>"
    if "loose" in place:
        own += f'<script defer src="{root}{folder}/{_PLACER}"></script>'
    script = f'<script type="module" src="{root}{folder}/knarr-search.js"></script>'
    leading = {"src": f"{root}{folder}/search/", "base": root}
    element = f"<knarr-search{html_of(leading)}{place.get('attributes', '')}{html_of(more or {})}></knarr-search>"
    if "late" in place:
        text = json.dumps({**leading, **(more or {})}).replace("<", "\\u003c")
        own += f"<script>({place['late']})({text})</script>"
        element = ""
    page = f"{page[:head]}{own}{script}{page[head:at]}{element}{page[at:]}"
    return re.sub(place["without"], "", page) if "without" in place else page


def _place(page: str, head: int) -> "tuple[dict[str, str], int]":
    """The first place of a page below its head and the position in it, or -1."""
    opened = _BODY.search(page, head)
    for place in _themes()["places"]:
        if "marks" in place:
            if re.search(place["marks"], page):
                return place, head
            continue
        start = page.find(place["after"], head) if "after" in place else opened.start() if opened else -1
        at = page.find(place["before"], start) if start >= 0 else -1
        if at >= 0:
            return place, at
    return {"loose": True}, opened.end() if opened else -1
