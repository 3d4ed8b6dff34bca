//! The truth table of access, scopes and times.

use super::{number, vectors};
use crate::vectors::{list, text};
use knarr::find::onyx::visibility::{Facts, TimeRange, Visibility};
use serde_json::Value;

#[test]
fn the_truth_table_of_filters() {
    let block = &vectors()["filters"];
    let now = block["now"].as_i64().expect("a time");
    let (docs, cases) = (list(&block["docs"]), list(&block["cases"]));
    assert_eq!((docs.len(), cases.len()), (5, 20));
    let texts = |value: &Value| -> Vec<String> {
        value
            .as_array()
            .into_iter()
            .flatten()
            .map(|value| text(value).to_owned())
            .collect()
    };
    let small = |value: &Value| -> Vec<u32> {
        value.as_array().into_iter().flatten().map(number).collect()
    };
    for case in cases {
        let asked = &case["filter"];
        let known = "acl created docs forced_sets include_hidden nodes persona project sets sources tags updated";
        for key in asked.as_object().expect("an object").keys() {
            assert!(
                known.split(' ').any(|known| known == key),
                "the test does not read {key}"
            );
        }
        let range = |name: &str| TimeRange(asked[name][0].as_i64(), asked[name][1].as_i64());
        let tag = |pair: &Value| format!("{}==={}", text(&pair[0]), text(&pair[1]));
        let filter = Visibility {
            include_hidden: asked["include_hidden"].as_bool().unwrap_or(false),
            access: asked["acl"].is_array().then(|| texts(&asked["acl"])),
            forced_sets: texts(&asked["forced_sets"]),
            sources: texts(&asked["sources"]),
            tags: asked["tags"]
                .as_array()
                .into_iter()
                .flatten()
                .map(tag)
                .collect(),
            sets: texts(&asked["sets"]),
            docs: texts(&asked["docs"]),
            nodes: small(&asked["nodes"]),
            persona: asked["persona"].as_u64().map(|persona| persona as u32),
            project: asked["project"].as_u64().map(|project| project as u32),
            created: range("created"),
            updated: range("updated"),
            chunks: None,
        };
        let passes = |doc: &&Value| {
            let (access, sets, tags) =
                (texts(&doc["acl"]), texts(&doc["sets"]), texts(&doc["tags"]));
            let [access, sets, tags]: [Vec<&str>; 3] =
                [&access, &sets, &tags].map(|list| list.iter().map(String::as_str).collect());
            let (ancestors, personas, projects) = (
                small(&doc["ancestors"]),
                small(&doc["personas"]),
                small(&doc["projects"]),
            );
            let facts = Facts {
                id: text(&doc["id"]),
                source: text(&doc["source"]),
                hidden: doc["hidden"].as_bool().unwrap_or(false),
                public: doc["public"].as_bool().unwrap_or(false),
                access: &access,
                sets: &sets,
                tags: &tags,
                ancestors: &ancestors,
                personas: &personas,
                projects: &projects,
                created: doc["created"].as_i64(),
                updated: doc["updated"].as_i64(),
                chunk: 0,
            };
            filter.allows(&facts, now)
        };
        let got: Vec<&str> = docs
            .iter()
            .filter(passes)
            .map(|doc| text(&doc["id"]))
            .collect();
        assert_eq!(
            got,
            list(&case["out"]).iter().map(text).collect::<Vec<_>>(),
            "{}",
            case["name"]
        );
    }
}
