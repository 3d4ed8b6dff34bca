"""What `knarr export --to` writes, in the engines themselves: they take it, and answer as `knarr find` does.

Run by `cargo xtask test python`, which installs the wheel and the engines. `OUT` is where bundles and exports are left.
"""

import json
import os
import runpy
import shutil
import subprocess
import sys
import unittest
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
OUT = Path(os.environ.get("OUT", HERE / "out")) / "export"
BUNDLE = OUT / "bundle"
QUESTIONS = [
    "how do I add a sensor?",
    "which button puts the sensor into pairing?",
    "rename a sensor and its old readings?",
    "how do I install harbour on an empty computer?",
    "restore an archive after a disaster?",
    "why do clocks drift, and who keeps them in step?",
    "error H012?",
    "the reading did not arrive within the interval?",
    "options of the configuration file?",
    "commands for the gateway?",
    "what happened in the first week?",
    "guide for beginners?",
]
LIMIT = 3
# The sums of engines have another order.
NEAR = 1e-3


def knarr(*arguments):
    command = [sys.executable, "-m", "knarr", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True).stdout


def exported(engine):
    folder = OUT / engine
    shutil.rmtree(folder, ignore_errors=True)
    knarr("export", BUNDLE, "--to", engine, "--out", folder, "--name", "harbour")
    return folder


def asked(engine, question, alpha=None, limit=LIMIT):
    weight = [] if alpha is None else ["--alpha", alpha]
    return knarr("export", BUNDLE, "--to", engine, "--name", "harbour", "--question", question, "--limit", limit, *weight)


@cache
def answers(*flags):
    """What Knarr answers to every question, best first."""
    file = OUT / "questions.jsonl"
    file.write_text("".join(json.dumps({"query": question}) + "\n" for question in QUESTIONS), encoding="utf-8")
    told = knarr("find", BUNDLE, "--queries", file, "--json", "--lang", "*", "--explain", "--limit", LIMIT, *flags)
    rows = map(json.loads, told.splitlines())
    return {row["query"]: row["results"] for row in rows}


def found(question, alpha):
    """What Knarr answers without its walk through the directories, by words (0) or by vector (1)."""
    return answers("--mode", "quick", "--alpha", alpha)[question]


def lines(path):
    with open(path, encoding="utf-8") as text:
        return [json.loads(line) for line in text]


def page(uri):
    return uri.split("#")[0]


def is_told(score, told):
    """A row has what the explanation tells, less a thirty-second for each quarter of the site that more pages link to."""
    return any(abs(score - told * (1 - quarters / 32)) < NEAR for quarters in range(4))


class Engine:
    """The tests of every engine; `answer` asks one, and gives pairs of a URI and a score, best first."""

    def test_a_vector_is_answered_with_the_same_pages_and_cosines(self):
        for question in QUESTIONS:
            rows = self.answer(asked(self.engine, question, 1))
            wanted = found(question, 1)
            self.assertEqual([page(uri) for uri, _ in rows], [row["uri"] for row in wanted], question)
            for (_, score), row in zip(rows, wanted):
                self.assertTrue(is_told(score, row["explain"]["cosine"]), question)

    def test_words_are_answered_with_the_same_first_page(self):
        same = 0
        for question in QUESTIONS:
            rows = self.answer(asked(self.engine, question, 0))
            wanted = found(question, 0)
            self.assertIn(wanted[0]["uri"], [page(uri) for uri, _ in rows], question)
            same += page(rows[0][0]) == wanted[0]["uri"]
        print(f"{self.engine}: words, {same} of {len(QUESTIONS)} first results are Knarr's")
        # Titles and headings that are just the question are Knarr's alone.
        self.assertGreaterEqual(same, len(QUESTIONS) - 1)

    def test_both_are_answered(self):
        same = 0
        for question in QUESTIONS:
            rows = self.answer(asked(self.engine, question))
            same += page(rows[0][0]) == answers()[question][0]["uri"]
        print(f"{self.engine}: words and vector, {same} of {len(QUESTIONS)} first results are Knarr's")
        self.assertGreaterEqual(same, len(QUESTIONS) - self.hybrid_may_differ)


class Qdrant(Engine, unittest.TestCase):
    engine = "qdrant"
    hybrid_may_differ = 2

    @classmethod
    def setUpClass(cls):
        from qdrant_client import QdrantClient
        from qdrant_client.http import models

        cls.models, cls.client = models, QdrantClient(":memory:")
        folder = exported(cls.engine)
        # The client's models are those of the server's published interface: what they refuse, it would refuse.
        collection = models.CreateCollection.model_validate_json((folder / "collection.json").read_text())
        cls.client.create_collection("harbour", vectors_config=collection.vectors, sparse_vectors_config=collection.sparse_vectors)
        for index in lines(folder / "indexes.jsonl"):
            models.CreateFieldIndex.model_validate(index)
        for points in lines(folder / "points.jsonl"):
            cls.client.upsert("harbour", models.PointsList.model_validate(points).points)

    def answer(self, body):
        request = self.models.QueryGroupsRequest.model_validate_json(body)
        given = {name: getattr(request, name) for name in request.model_fields_set}
        given["query_filter"] = given.pop("filter", None)
        groups = self.client.query_points_groups("harbour", **given).groups
        return [(group.hits[0].payload["uri"], group.hits[0].score) for group in groups]

    def test_pages_are_found_below_a_directory(self):
        body = json.loads(asked(self.engine, QUESTIONS[0], 0))
        body["filter"] = {"must": [{"key": "parents", "match": {"value": "viking://resources/harbour/guide"}}]}
        rows = self.answer(json.dumps(body))
        self.assertTrue(rows)
        for uri, _ in rows:
            self.assertTrue(uri.startswith("viking://resources/harbour/guide/"), uri)

    def test_the_row_of_a_page_scores_as_the_words_of_the_page(self):
        for question in QUESTIONS:
            body = json.loads(asked(self.engine, question, 0, 100))
            body["filter"] = {"must": [{"key": "place", "match": {"value": 0}}]}
            scores = dict(self.answer(json.dumps(body)))
            for row in found(question, 0):
                self.assertTrue(is_told(scores[row["uri"]], sum(word["score"] for word in row["explain"]["words"])), question)


class Postgres(Engine, unittest.TestCase):
    engine = "postgres"
    hybrid_may_differ = 1

    @classmethod
    def setUpClass(cls):
        try:
            import pgserver
        except ImportError:
            raise unittest.SkipTest("pgserver has no wheel for this Python") from None
        folder = exported(cls.engine)
        shutil.rmtree(OUT / "pgdata", ignore_errors=True)
        cls.server = pgserver.get_server(OUT / "pgdata")
        files = ["schema.sql", "rows.sql", "words.sql", "indexes.sql"]
        cls.server.psql("\\set ON_ERROR_STOP on\n" + "".join(f"\\i {folder / file}\n" for file in files))

    @classmethod
    def tearDownClass(cls):
        cls.server.cleanup()

    def answer(self, query):
        told = self.server.psql("\\pset format csv\n\\pset tuples_only on\n" + query)
        rows = [row.split(",") for row in told.splitlines() if "viking://" in row]
        return [(row[1], float(row[0])) for row in rows]

    def test_every_row_and_word_arrived(self):
        points = json.loads(knarr("export", BUNDLE, "--to", "postgres", "--out", OUT / "counted", "--name", "harbour", "--json"))
        told = self.server.psql("SELECT 'rows=' || count(*) || ' pages=' || count(DISTINCT page) || ' tabs=' || sum((text LIKE '%\\n%')::int) FROM harbour")
        self.assertIn(f"rows={points['rows']} pages={points['pages']}", told)


class Milvus(Engine, unittest.TestCase):
    engine = "milvus"
    hybrid_may_differ = 2

    @classmethod
    def setUpClass(cls):
        try:
            from pymilvus import MilvusClient
        except ImportError:
            raise unittest.SkipTest("Milvus Lite is 350 MB: pip install -r tests/python/requirements-milvus.txt") from None
        folder = exported(cls.engine)
        file = OUT / "milvus.db"
        shutil.rmtree(file, ignore_errors=True)
        file.unlink(missing_ok=True)
        # In a process of its own, as people do: what it left is asked.
        told = subprocess.run([sys.executable, str(folder / "load.py"), str(file)], check=True, capture_output=True, text=True).stdout
        cls.loaded = int(told.split()[0])
        cls.client = MilvusClient(str(file))
        cls.script = runpy.run_path(str(folder / "load.py"))
        cls.rows = lines(folder / "rows.jsonl")

    @classmethod
    def tearDownClass(cls):
        cls.client.close()

    def answer(self, body):
        rows = self.script["ask"](self.client, json.loads(body))
        return [(row["entity"]["uri"], row["distance"]) for row in rows]

    def test_every_row_arrived(self):
        self.assertEqual(self.loaded, len(self.rows))


class OpenSearch(unittest.TestCase):
    """No package has the engine: what is written is held against what its mapping takes, which is strict."""

    def test_documents_have_the_fields_of_the_mapping(self):
        folder = exported("opensearch")
        fields = json.loads((folder / "index.json").read_text())["mappings"]["properties"]
        told = lines(folder / "bulk.ndjson")
        documents = told[1::2]
        self.assertEqual(len(told), 2 * len(documents))
        for action, document in zip(told[::2], documents):
            self.assertEqual(action, {"index": {"_id": str(document["id"])}})
            self.assertEqual(set(document), set(fields))
            self.assertEqual(len(document["dense"]), fields["dense"]["dimension"])
            for word, weight in document["sparse"].items():
                self.assertTrue(word.isdigit() and weight > 0, word)

    def test_the_words_of_a_question_sum_up_to_the_scores_of_knarr(self):
        folder = exported("opensearch")
        documents = {row["uri"]: row for row in lines(folder / "bulk.ndjson")[1::2] if row["place"] == 0}
        for question in QUESTIONS:
            body = json.loads(asked("opensearch", question, 0))
            self.assertEqual(body["collapse"], {"field": "page"})
            words = body["query"]["neural_sparse"]["sparse"]["query_tokens"]
            for row in found(question, 0):
                own = documents[row["uri"]]["sparse"]
                score = sum(weight * own.get(word, 0) for word, weight in words.items())
                self.assertTrue(is_told(score, sum(word["score"] for word in row["explain"]["words"])), question)


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(BUNDLE, ignore_errors=True)
    knarr("build", HERE.parent / "corpus", "--out", BUNDLE, "--name", "harbour", "--quiet")
    unittest.main(verbosity=2)
