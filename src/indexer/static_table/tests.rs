//! Expectations come from the table's own files, read by an independent program, and from the model's test vectors.

use super::*;

fn table() -> &'static StaticTable {
    StaticTable::embedded()
}

/// Asserts the first four and last two values of a word's vector, and its length.
fn assert_vector(word: &str, first: [f32; 4], last: [f32; 2], length: f32) {
    let vector = table().word(word).expect("the word is known");
    for (got, want) in vector[..4]
        .iter()
        .chain(&vector[254..])
        .zip(first.iter().chain(&last))
    {
        assert!((got - want).abs() < 1e-6, "{word}: {got}, expected {want}");
    }
    let got = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
    assert!(
        (got - length).abs() < 1e-5,
        "{word}: length {got}, expected {length}"
    );
}

#[test]
fn a_word_is_the_sum_of_its_longest_pieces() {
    let pieces = |word| table().pieces(word);
    assert_eq!(pieces("password"), Some(vec![18807]));
    assert_eq!(pieces("kubectl"), Some(vec![12027, 2853, 4662, 211])); // ku ##be ##ct ##l
    assert_eq!(pieces("opentelemetry"), Some(vec![401, 7899, 19403, 9191])); // open ##tel ##eme ##try
    assert_eq!(pieces("async/await"), Some(vec![76, 4108, 349, 24747])); // as ##yn ##c, await
}

#[test]
fn values_are_those_of_the_files() {
    assert_vector(
        "password",
        [-0.08258057, 0.0, 0.28903198, 0.0],
        [0.0, 0.041290283],
        1.233882,
    );
    assert_vector(
        "kubectl",
        [0.072006226, -0.05807495, -0.002456665, -0.20518494],
        [0.06645203, 0.03337097],
        1.9030228,
    );
    assert_vector(
        "async/await",
        [0.07146454, -0.28163528, 0.13106155, 0.04944992],
        [-0.0045051575, -0.020072937],
        2.3546827,
    );
    assert_vector(
        "x86",
        [0.20780945, -0.07646179, 0.09663391, 0.02017212],
        [0.0, -0.04925537],
        0.98064655,
    );
}

#[test]
fn what_the_table_cannot_spell_is_unknown() {
    for word in ["", "-", "日本", "日本x", "naïve", "PASSWORD"] {
        assert!(
            !table().known(word) && table().word(word).is_none(),
            "{word}"
        );
    }
    assert!(table().known("don't") && table().known("zzzzqqqqxxxx"));
}

#[test]
fn the_fingerprint_names_these_bytes() {
    assert_eq!(table().fingerprint(), "e75fb34e3d60042f");
}

#[test]
fn halves_decode_exactly() {
    assert_eq!(
        [half(0x3c00), half(0x2ea0), half(0x0001), half(0x7bff)],
        [1.0, 0.103515625, 5.9604645e-08, 65504.0]
    );
}

/// The model's own vectors (8 bits per value) against ours (4): same direction within the coarser step.
#[test]
fn texts_point_where_the_model_points() {
    let shared = std::env::var("KNARR_SHARED")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../shared").to_owned());
    let Ok(json) =
        std::fs::read_to_string(format!("{shared}/models/static-256-int8/testvectors.json"))
    else {
        return; // The data folder is not part of the repository.
    };
    let cases: serde_json::Value = serde_json::from_str(&json).expect("the vectors are JSON");
    for case in cases.as_array().expect("a list") {
        let text = case["text"].as_str().expect("a text");
        let folded: String = text
            .to_lowercase()
            .chars()
            .map(|c| match c {
                'é' => 'e',
                'ï' => 'i',
                c => c,
            })
            .collect();
        let rows: Vec<u64> = case["rows"]
            .as_array()
            .expect("rows")
            .iter()
            .filter_map(|r| r.as_u64())
            .collect();
        let pieces: Vec<u64> = table()
            .pieces(&folded)
            .unwrap_or_default()
            .iter()
            .map(|&r| r as u64)
            .collect();
        assert_eq!(pieces, rows, "{text}");
        let Some(ours) = table().word(&folded) else {
            continue;
        };
        let theirs: Vec<f32> = case["vec"]
            .as_array()
            .expect("a vector")
            .iter()
            .map(|v| v.as_f64().unwrap_or(f64::NAN) as f32)
            .collect();
        let dot: f32 = ours.iter().zip(&theirs).map(|(a, b)| a * b).sum();
        let length = ours.iter().map(|v| v * v).sum::<f32>().sqrt();
        assert!(dot / length > 0.98, "{text}: cosine {}", dot / length);
    }
}
