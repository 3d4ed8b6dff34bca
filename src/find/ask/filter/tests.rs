use super::*;

fn tags(input: &[&str]) -> Result<Vec<String>, &'static str> {
    let input: Vec<String> = input.iter().map(|tag| (*tag).to_owned()).collect();
    normalize_tags(&input).map_err(|error| error.code())
}

#[test]
fn tags_are_normalised_and_the_last_value_of_a_key_wins() {
    let expected = ["team=ops", "lang=zh", "guide"].map(str::to_owned).to_vec();
    assert_eq!(
        tags(&[" Team=Infra ", "lang=zh", "GUIDE", "guide", "team = ops"]),
        Ok(expected)
    );
    assert_eq!(tags(&[]), Ok(vec![]));
    assert_eq!(
        tags(&["Formula= E=mc2", "a==", "formula=e=mc3"]),
        Ok(vec!["formula=e=mc3".into(), "a==".into()])
    );
    for bad in ["", "  ", "bad=", "=bad", "=b=c", "="] {
        assert_eq!(tags(&["ok=1", bad]), Err("INVALID_ARGUMENT"), "{bad:?}");
    }
}

#[test]
fn context_types_in_every_written_form() {
    use ContextType::{Memory, Resource, Skill};
    let parse =
        |names: &[&str]| parse_context_types(names.iter().copied()).map_err(|error| error.code());
    assert_eq!(parse(&["memory"]), Ok(vec![Memory]));
    assert_eq!(
        parse(&["Skill, RESOURCE", "skill"]),
        Ok(vec![Skill, Resource])
    );
    assert_eq!(parse(&["", ","]), Ok(vec![]));
    assert_eq!(parse(&["memory", "document"]), Err("INVALID_ARGUMENT"));
    let error = parse_context_types(["doc"]).expect_err("no such type");
    assert!(error.message().contains("memory, resource, skill"));
}

#[test]
fn levels_pass_over_what_is_no_number() {
    let text = |text: &str| Value::Text(text.to_owned());
    assert_eq!(parse_levels(&Value::Int(2)), Some(vec![2]));
    assert_eq!(parse_levels(&text("2, 0,x,2")), Some(vec![0, 2]));
    assert_eq!(
        parse_levels(&Value::List(vec![text("1"), Value::Int(0)])),
        Some(vec![0, 1])
    );
    assert_eq!(parse_levels(&text("x")), None);
    assert_eq!(parse_levels(&Value::Null), None);
    assert_eq!(parse_levels(&Value::Int(7)), Some(vec![7]));
}

#[test]
fn no_conditions_make_no_filter() {
    assert!(Filter::tags(&[]).is_none());
    assert!(Filter::context_types(&[]).is_none());
    assert!(Filter::period(TimeField::UpdatedAt, Period::default()).is_none());
    assert!(Filter::all([]).is_none());
}
