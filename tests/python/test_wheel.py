"""The wheel as it is installed: the command line, the plugins for MkDocs and Sphinx, and what they do to pages.

Run by `cargo xtask test python`, which installs the wheel. `OUT` is where the sites are left for the browser's test.
"""

import json
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import knarr

HERE = Path(__file__).parent
OUT = Path(os.environ.get("OUT", HERE / "out"))


def run(*arguments, **options):
    return subprocess.run([sys.executable, "-m", *map(str, arguments)], capture_output=True, text=True, **options)


def found(bundle, query):
    answer = json.loads(run("knarr", "find", bundle, query, "--json").stdout)
    return [row["url"] for row in answer["resources"]]


class Command(unittest.TestCase):
    def test_it_is_the_native_command(self):
        told = run("knarr", "--help")
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertIn("  serve ", told.stdout)
        for own in ("add", "init"):
            self.assertRegex(told.stdout, rf"(?m)^  {own} ")
        self.assertEqual(run("knarr", "frobnicate").returncode, 2)

    def test_one_word_builds_a_sites_index(self):
        site = OUT / "plain"
        shutil.rmtree(site, ignore_errors=True)
        shutil.copytree(HERE / "mkdocs/docs", site)
        done = run("knarr", "build", site)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(found(site / "search", "bowline")[0].split("#")[0], "guide/mooring.md")
        told = run("knarr", "init", site)
        self.assertIn('<knarr-search src="/search/">', told.stdout)
        self.assertTrue((site / "knarr/knarr_core_first.wasm").is_file())
        self.assertFalse((site / "knarr/index.js").exists())
        told = run("knarr", "init", "--answers", site)
        self.assertIn('<knarr-search src="/search/" answer>', told.stdout)
        self.assertTrue((site / "knarr/knarr_full_bg.wasm").is_file())
        self.assertEqual(run("knarr", "init", "--frobnicate").returncode, 2)
        self.assertEqual(run("knarr", "init", OUT / "nowhere").returncode, 1)
        self.assertEqual(run("knarr", "init").returncode, 2)

    def test_add_does_it_all(self):
        site = OUT / "added"
        shutil.rmtree(site, ignore_errors=True)
        site.mkdir(parents=True)
        page = "<html lang=en><head><title>Mooring</title></head><body><header></header><main><h1>Mooring</h1><p>A bowline.</p></main></body></html>"
        (site / "mooring.html").write_text(page, encoding="utf-8")
        told = run("knarr", "add", site, "--name", "harbour")
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertRegex(told.stdout, r"1 page has the search field now\nTo see it: python -m http.server .*opened from disk\)\n$")
        self.assertIn("no page was changed", run("knarr", "add", site).stdout)
        self.assertIn("<knarr-search ", (site / "mooring.html").read_text(encoding="utf-8"))
        self.assertTrue((site / "knarr/knarr_core_first.wasm").is_file())
        self.assertEqual(found(site / "knarr/search", "bowline"), ["mooring.html"])
        told = run("knarr", "init", site)
        self.assertIn('<knarr-search src="/knarr/search/" base="/">', told.stdout)
        self.assertNotIn("still to be made", told.stdout)
        self.assertEqual(run("knarr", "add", OUT / "nowhere").returncode, 1)
        self.assertEqual(run("knarr", "add").returncode, 2)
        self.assertEqual(run("knarr", "add", site, "--frobnicate").returncode, 2)
        told = run("knarr", "add", site, "--watch", timeout=60)
        self.assertEqual(told.returncode, 2)
        self.assertIn("--watch is an option of build", told.stderr)
        self.assertEqual(run("knarr", "add", site, "-q").stdout, "")

    def test_what_the_system_refuses_is_told_in_one_line(self):
        site = OUT / "blocked"
        shutil.rmtree(site, ignore_errors=True)
        site.mkdir(parents=True)
        (site / "knarr").write_text("a file", encoding="utf-8")
        told = run("knarr", "init", site)
        self.assertEqual(told.returncode, 1)
        self.assertRegex(told.stderr, r"^error\[IO\]: .*\n$")

    def test_add_shows_answers(self):
        site = OUT / "answers"
        shutil.rmtree(site, ignore_errors=True)
        site.mkdir(parents=True)
        (site / "index.html").write_text("<html lang=en><head><title>Mooring</title></head><body><main><h1>Mooring</h1></main></body></html>", encoding="utf-8")
        told = run("knarr", "add", site, "--answers", "--attribute", "facets=kind", "--attribute=strings={\"a\":1}", "--name", "harbour")
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertIn(' base="./" answer facets="kind" strings="{&#34;a&#34;:1}"></knarr-search>', (site / "index.html").read_text(encoding="utf-8"))
        self.assertTrue((site / "knarr/index.js").is_file())

        for wrong in ("--attribute", "--attribute=src=/x/", "--attribute=on click"):
            told = run("knarr", "add", site, wrong)
            self.assertEqual(told.returncode, 2)
            self.assertRegex(told.stderr, r"^error\[INVALID_ARGUMENT\]: ")

    def test_a_failure_is_an_exception_with_its_words(self):
        with self.assertRaisesRegex(knarr.KnarrError, r"error\[IO\].*nowhere"):
            knarr.build(OUT / "nowhere", OUT / "nothing")


class Element(unittest.TestCase):
    def test_a_page_keeps_its_bytes(self):
        site = OUT / "bytes"
        shutil.rmtree(site, ignore_errors=True)
        site.mkdir(parents=True)
        page = "<html><head></head><body>\r\n<p>Gr\xfc\xdfe</p>\r\n</body></html>\r\n".encode("latin-1")
        (site / "index.html").write_bytes(page)
        self.assertEqual(knarr.add_element(site), 1)
        changed = (site / "index.html").read_bytes()
        self.assertIn(b"\r\n<p>Gr\xfc\xdfe</p>\r\n", changed)
        self.assertEqual(changed.count(b"<knarr-search "), 1)


    def test_a_package_without_the_files_says_so(self):
        package = OUT / "bare" / "knarr"
        shutil.rmtree(package, ignore_errors=True)
        shutil.copytree(Path(knarr.__file__).parent, package, ignore=shutil.ignore_patterns("element"))
        bare = {"env": {**os.environ, "PYTHONPATH": str(package.parent)}, "cwd": package.parent}
        self.assertEqual(run("knarr", "--version", **bare).returncode, 0)
        told = run("knarr", "init", package.parent, **bare)
        self.assertEqual(told.returncode, 1)
        self.assertRegex(told.stderr, r"^error\[NOT_FOUND\]: this package was made without .*\n$")

    def test_what_is_no_page_is_left_alone(self):
        site = OUT / "no-pages"
        shutil.rmtree(site, ignore_errors=True)
        (site / "folder.html").mkdir(parents=True)
        page = "<html><head></head><body>x</body></html>"
        (site / "index.html").write_text(page, encoding="utf-8")
        (site / "OLD.HTM").write_text(page, encoding="utf-8")
        (site / "book.xhtml").write_text(page, encoding="utf-8")
        outside = OUT / "outside.html"
        outside.write_text(page, encoding="utf-8")
        os.symlink("nowhere.html", site / "broken.html")
        os.symlink(os.path.relpath(outside, site), site / "elsewhere.html")
        self.assertEqual(knarr.add_element(site), 2)
        self.assertIn("<knarr-search", (site / "OLD.HTM").read_text(encoding="utf-8"))
        self.assertEqual((site / "book.xhtml").read_text(encoding="utf-8"), page)
        self.assertEqual(outside.read_text(encoding="utf-8"), page)


class Sites(unittest.TestCase):
    def check(self, site, pages):
        for page, root in pages.items():
            text = (site / page).read_text(encoding="utf-8")
            self.assertEqual(text.count("<knarr-search "), 1, page)
            self.assertIn(f'src="{root}knarr/search/" base="{root}"', text, page)
            self.assertIn(f'src="{root}knarr/knarr-search.js"', text, page)

    def test_mkdocs(self):
        site = OUT / "mkdocs"
        for _ in range(2):
            done = run("mkdocs", "build", "--strict", "--config-file", HERE / "mkdocs/mkdocs.yml", "--site-dir", site)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.check(site, {"index.html": "./", "guide/mooring/index.html": "../../"})
        self.assertEqual(found(site / "knarr/search", "bowline")[0].split("#")[0], "guide/mooring/")
        self.assertNotIn("404.html", found(site / "knarr/search", "harbour"))

    def test_mkdocs_says_what_is_wrong(self):
        config = OUT / "wrong.yml"
        text = (HERE / "mkdocs/mkdocs.yml").read_text().replace("  - knarr", "  - knarr:\n      options: [--alpha, '7']")
        config.write_text(f"{text}\ndocs_dir: {HERE / 'mkdocs/docs'}\n")
        done = run("mkdocs", "build", "--config-file", config, "--site-dir", OUT / "wrong")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("INVALID_ARGUMENT", done.stderr)

    def test_sphinx(self):
        for theme in ("alabaster", "furo", "pydata_sphinx_theme", "sphinx_rtd_theme"):
            site = OUT / f"sphinx-{theme}"
            for _ in range(2):
                done = run("sphinx", "-q", "-W", "-b", "html", "-D", f"html_theme={theme}", HERE / "sphinx", site)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.check(site, {"index.html": "./", "guide/mooring.html": "../"})
            self.assertEqual(found(site / "knarr/search", "bowline")[0].split("#")[0], "guide/mooring.html")

    def test_sphinx_makes_books_and_data_without_a_search(self):
        for builder in ("epub", "json", "text"):
            out = OUT / f"sphinx-{builder}"
            shutil.rmtree(out, ignore_errors=True)
            done = run("sphinx", "-q", "-b", builder, HERE / "sphinx", out)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertFalse((out / "knarr").exists(), builder)


class Places(unittest.TestCase):
    def test_a_page_of_its_own_is_left_alone(self):
        own = "<html><head></head><body><knarr-search></knarr-search></body></html>"
        self.assertEqual(knarr.put(own, "./"), own)
        self.assertEqual(knarr.put("<p>A fragment.</p>", "./"), "<p>A fragment.</p>")
        for page in ("<HTML><HEAD></HEAD><BODY class=a>", "<title>x</title><body>"):
            self.assertIn("<knarr-search ", knarr.put(page, "./"), "capitals, or no tags of a head")

    def test_a_place_that_is_a_guess_is_looked_at_in_the_browser(self):
        site = OUT / "loose"
        (site / "guide").mkdir(parents=True, exist_ok=True)
        for page, body in {"index.html": "<p>x</p>", "guide/mooring.html": "<header>x</header>"}.items():
            (site / page).write_text(f"<html><head></head><body>{body}</body></html>")
        self.assertEqual(knarr.add_element(site), 2)
        for page, root in {"index.html": "./", "guide/mooring.html": "../"}.items():
            text = (site / page).read_text()
            self.assertIn(f'<script defer src="{root}knarr/knarr-place.js"></script>', text)
            self.assertNotIn("<style>", text, "a policy may forbid it")
        self.assertIn("customElements", (site / "knarr/knarr-place.js").read_text())

    def test_the_theme_decides_the_place(self):
        def before(body, attributes=""):
            page = knarr.put(f"<html><head></head><body class=x>{body}</body></html>", "../")
            self.assertIn(f'<knarr-search src="../knarr/search/" base="../"{attributes}>', page)
            return page.split("</knarr-search>")[1]

        self.assertTrue(before('<nav class="md-header__inner"><a></a></nav>').startswith("</nav>"))
        zensical = '<nav class="md-header__inner"><div class="md-search"><button type="button" class="md-search__button">x</button></div></nav>'
        self.assertTrue(before(zensical).startswith("</nav>"))
        self.assertIn("stopImmediatePropagation", knarr.put(f"<html><head></head><body>{zensical}</body></html>", "./"))
        self.assertTrue(before('<div class="wy-side-nav-search"><div role="search">').startswith('<div role="search"'))
        self.assertTrue(before('<header><h1>x</h1></header><div id="searchbox">', ' button="field"').startswith('<div id="searchbox"'))
        self.assertTrue(before("<header><h1>x</h1></header>").startswith("</header>"))
        self.assertTrue(before("<p>x</p>").startswith("<p>"))
        taken = knarr.put('<html><head></head><body><div id="__next"><header>x</header></div></body></html>', "../")
        self.assertIn('({"src": "../knarr/search/", "base": "../"})</script>', taken)
        self.assertEqual(knarr.put(taken, "../"), taken)
        self.assertTrue(taken.endswith('<header>x</header></div></body></html>'), "a framework's own place is left as it is")


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    unittest.main(verbosity=2)
