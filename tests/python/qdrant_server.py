"""A Qdrant server for tests: the engine is Qdrant's own (Qdrant Edge, the server's storage and search as a library), and
bodies are proved by the request models of qdrant-client, which are generated from the server's published interface.
Ours are the routes, the groups of a page, and the keys.

`python qdrant_server.py FOLDER [KEYS]` serves collections in FOLDER until it is ended, and prints its address; KEYS is
JSON, `{"write": …, "read": …}`.
"""

import json
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import qdrant_edge as edge
from pydantic import ValidationError
from qdrant_client.http import models

# More rows than a test has: groups are made of all that a question finds.
ALL = 10_000


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class Collection:
    """A shard of the engine, asked with the models of the interface."""

    def __init__(self, folder, request):
        params = models.CreateCollection.model_validate(request)
        dense = {name: edge.EdgeVectorParams(size=of.size, distance=edge.Distance.Dot) for name, of in (params.vectors or {}).items()}
        assert all(of.distance == models.Distance.DOT for of in (params.vectors or {}).values())
        sparse = {name: edge.EdgeSparseVectorParams() for name in params.sparse_vectors}
        folder.mkdir(parents=True)
        self.shard = edge.EdgeShard.create(str(folder), edge.EdgeConfig(vectors=dense, sparse_vectors=sparse))
        self.lock = threading.Lock()

    def index(self, request):
        field = models.CreateFieldIndex.model_validate(request)
        self.shard.update(edge.UpdateOperation.create_field_index(field.field_name, schema_of(field.field_schema)))

    def upsert(self, request):
        given = models.PointsList.model_validate(request).points
        points = [edge.Point(id=one.id, vector={name: vector_of(of) for name, of in one.vector.items()}, payload=one.payload) for one in given]
        self.shard.update(edge.UpdateOperation.upsert_points(points))

    def points(self, request):
        asked = models.PointRequest.model_validate(request)
        found = self.shard.retrieve(asked.ids, with_payload=selector_of(asked.with_payload), with_vector=False)
        return [{"id": one.id, "payload": one.payload} for one in found]

    def scroll(self, request):
        asked = models.ScrollRequest.model_validate(request)
        order = asked.order_by and edge.OrderBy(asked.order_by.key, edge.Direction.Desc if asked.order_by.direction == models.Direction.DESC else edge.Direction.Asc)
        request = edge.ScrollRequest(
            offset=asked.offset, limit=asked.limit, filter=filter_of(asked.filter), with_payload=selector_of(asked.with_payload), with_vector=False, order_by=order,
        )
        found, following = self.shard.scroll(request)
        return {"points": [{"id": one.id, "payload": one.payload} for one in found], "next_page_offset": following}

    def count(self, request):
        asked = models.CountRequest.model_validate(request)
        return {"count": self.shard.count(edge.CountRequest(filter=filter_of(asked.filter), exact=True))}

    def groups(self, request):
        asked = models.QueryGroupsRequest.model_validate(request)
        listed = [prefetch_of(one) for one in asked.prefetch or []]
        found = self.shard.query(edge.QueryRequest(
            limit=ALL, query=query_of(asked.query, asked.using), prefetches=listed, filter=filter_of(asked.filter), score_threshold=asked.score_threshold, with_payload=True,
        ))
        groups = {}
        for one in found:
            hits = groups.setdefault(one.payload[asked.group_by], [])
            if len(hits) < asked.group_size:
                hits.append({"id": one.id, "version": 0, "score": one.score, "payload": chosen(one.payload, asked.with_payload)})
        return {"groups": [{"id": id, "hits": hits} for id, hits in list(groups.items())[: asked.limit]]}


def schema_of(schema):
    if isinstance(schema, models.TextIndexParams):
        assert schema.tokenizer == models.TokenizerType.PREFIX
        return edge.TextIndexParams(tokenizer=edge.TokenizerType.Prefix, min_token_len=schema.min_token_len, max_token_len=schema.max_token_len, lowercase=schema.lowercase)
    if isinstance(schema, models.IntegerIndexParams):
        return edge.IntegerIndexParams(lookup=schema.lookup, range=schema.range)
    return {models.PayloadSchemaType.KEYWORD: edge.PayloadSchemaType.Keyword, models.PayloadSchemaType.INTEGER: edge.PayloadSchemaType.Integer}[schema]


def vector_of(vector):
    return edge.SparseVector(vector.indices, vector.values) if isinstance(vector, models.SparseVector) else vector


def query_of(query, using):
    if isinstance(query, models.FusionQuery):
        assert query.fusion == models.Fusion.RRF
        return edge.Fusion.Rrf(k=2)
    return edge.Query.Nearest(vector_of(query), using)


def prefetch_of(one):
    return edge.Prefetch(limit=one.limit, query=query_of(one.query, one.using), filter=filter_of(one.filter))


def filter_of(given):
    if given is None:
        return None
    lists = [getattr(given, name) for name in ("must", "should", "must_not")]
    return edge.Filter(*[None if conditions is None else [condition_of(one) for one in listed(conditions)] for conditions in lists])


def listed(conditions):
    return conditions if isinstance(conditions, list) else [conditions]


def condition_of(given):
    if isinstance(given, models.Filter):
        return filter_of(given)
    if given.range is not None:
        bounds = {name: getattr(given.range, name) for name in ("gte", "gt", "lte", "lt")}
        return edge.FieldCondition(given.key, range=edge.RangeFloat(**bounds))
    match = given.match
    if isinstance(match, models.MatchText):
        return edge.FieldCondition(given.key, match=edge.MatchText(match.text))
    if isinstance(match, models.MatchAny):
        return edge.FieldCondition(given.key, match=edge.MatchAny(match.any))
    return edge.FieldCondition(given.key, match=edge.MatchValue(match.value))


def selector_of(given):
    if isinstance(given, models.PayloadSelectorExclude):
        return edge.PayloadSelector.Exclude(given.exclude)
    return edge.PayloadSelector.Include(given) if isinstance(given, list) else given


def chosen(payload, wanted):
    return {name: value for name, value in payload.items() if name in wanted}


ROUTES = {"": "points", "/scroll": "scroll", "/count": "count", "/query/groups": "groups"}


class Server:
    """`keys`: who may write, and who may read; without any, everybody may do both."""

    def __init__(self, folder, keys=None):
        self.folder, self.keys, self.collections = Path(folder), keys, {}
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_PUT(self):
                self.answer("PUT")

            def do_POST(self):
                self.answer("POST")

            def do_OPTIONS(self):
                self.send_response(200)
                for name in ("Origin", "Headers", "Methods"):
                    self.send_header(f"Access-Control-Allow-{name}", "*")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def answer(self, method):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                try:
                    outer.prove(method, self.headers.get("api-key"))
                    told = {"result": outer.run(method, self.path.split("?")[0], json.loads(body)), "status": "ok", "time": 0.0}
                    status, text = 200, json.dumps(told)
                except Refused as error:
                    status, text = error.status, str(error)
                except (ValidationError, json.JSONDecodeError) as error:
                    status, text = 400, refusal(f"Format error in JSON body: {error}")
                data = text.encode()
                self.send_response(status)
                self.send_header("Access-Control-Allow-Origin", "*")
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def prove(self, method, key):
        if self.keys is None:
            return
        if key is None or key not in self.keys.values():
            raise Refused(401, "Must provide an API key or an Authorization bearer token")
        if method == "PUT" and key != self.keys["write"]:
            raise Refused(403, refusal("Forbidden: Global manage access is required"))

    def run(self, method, path, body):
        name, rest = re.fullmatch(r"/collections/([^/]+)(.*)", path).groups()
        if method == "PUT" and rest == "":
            self.collections[name] = Collection(self.folder / name, body)
            return True
        if name not in self.collections:
            raise Refused(404, refusal(f"Not found: Collection `{name}` doesn't exist!"))
        collection = self.collections[name]
        with collection.lock:
            if method == "PUT":
                {"/index": collection.index, "/points": collection.upsert}[rest](body)
                return {"operation_id": 0, "status": "completed"}
            return getattr(collection, ROUTES[rest.removeprefix("/points")])(body)

    def close(self):
        self.http.shutdown()
        self.http.server_close()
        for collection in self.collections.values():
            collection.shard.close()


def refusal(message):
    return json.dumps({"status": {"error": message}, "time": 0.0})


if __name__ == "__main__":
    server = Server(sys.argv[1], json.loads(sys.argv[2]) if len(sys.argv) > 2 else None)
    print(server.origin, flush=True)
    threading.Event().wait()
