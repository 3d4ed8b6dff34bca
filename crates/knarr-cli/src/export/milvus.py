"""Loads the rows beside this file into Milvus, or asks it a question from standard input.

    python load.py http://localhost:19530          a server
    python load.py ./docs.db                       Milvus Lite, in a file
    knarr export … --question "…" | python load.py ./docs.db --ask
"""

import json
import sys
from pathlib import Path

from pymilvus import AnnSearchRequest, DataType, MilvusClient, RRFRanker

HERE = Path(__file__).resolve().parent
TYPES = {
    "Int64": DataType.INT64,
    "VarChar": DataType.VARCHAR,
    "Array": DataType.ARRAY,
    "SparseFloatVector": DataType.SPARSE_FLOAT_VECTOR,
    "FloatVector": DataType.FLOAT_VECTOR,
}
AT_ONCE = 100


def numbered(vector):
    """JSON names the words of a sparse vector by texts, the client by numbers."""
    return {int(word): weight for word, weight in vector.items()} if isinstance(vector, dict) else vector


def load(client):
    collection = json.loads((HERE / "collection.json").read_text(encoding="utf-8"))
    name = collection["collectionName"]
    schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
    for field in collection["schema"]["fields"]:
        options = dict(field["elementTypeParams"], is_primary=field.get("isPrimary", False), nullable=field.get("nullable", False))
        if "elementDataType" in field:
            options["element_type"] = TYPES[field["elementDataType"]]
        schema.add_field(field["fieldName"], TYPES[field["dataType"]], **options)
    indexes = client.prepare_index_params()
    for index in collection["indexParams"]:
        indexes.add_index(index["fieldName"], index_name=index["indexName"], index_type=index["indexType"], metric_type=index["metricType"])
    if client.has_collection(name):
        client.drop_collection(name)
    client.create_collection(name, schema=schema, index_params=indexes)
    rows, n = [], 0
    with open(HERE / "rows.jsonl", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            row["sparse"] = numbered(row["sparse"])
            rows.append(row)
            if len(rows) == AT_ONCE:
                n += client.insert(name, rows)["insert_count"]
                rows = []
    if rows:
        n += client.insert(name, rows)["insert_count"]
    client.load_collection(name)
    return n


def ask(client, body):
    """The rows that answer a question of `knarr export --question`, best first, one for each page."""
    client.load_collection(body["collectionName"])  # A collection is loaded as long as its Milvus runs.
    common = dict(collection_name=body["collectionName"], limit=body["limit"], output_fields=body["outputFields"], group_by_field=body["groupingField"])
    if "filter" in body:
        common["filter"] = body["filter"]

    def data(one):
        return [numbered(vector) for vector in one["data"]]

    if "search" not in body:
        found = client.search(data=data(body), anns_field=body["annsField"], search_params={"metric_type": body["metricType"]}, **common)
    else:
        requests = [AnnSearchRequest(data(one), one["annsField"], {"metric_type": one["metricType"]}, one["limit"]) for one in body["search"]]
        found = client.hybrid_search(reqs=requests, ranker=RRFRanker(body["rerank"]["params"]["k"]), **common)
    return found[0]


if __name__ == "__main__":
    client = MilvusClient(sys.argv[1])
    if sys.argv[2:] == ["--ask"]:
        for row in ask(client, json.load(sys.stdin)):
            print(json.dumps({"score": row["distance"], **row["entity"]}, ensure_ascii=False))
    else:
        print(load(client), "rows")
    client.close()
