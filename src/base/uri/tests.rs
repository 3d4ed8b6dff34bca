use super::*;

const MAY_7: Clock = Clock {
    now_unix: 1_778_155_200,
    utc_offset_minutes: 0,
}; // 2026-05-07T12:00Z

fn resolve_as(user: Option<&str>, text: &str) -> Result<String, &'static str> {
    let identity = Identity::new(user, None).expect("a valid user");
    let resolver = Resolver {
        identity: &identity,
        clock: MAY_7,
    };
    Uri::resolve(text, &resolver)
        .map(|uri| uri.to_string())
        .map_err(|error| error.code())
}

fn of_alice(text: &str) -> Result<String, &'static str> {
    resolve_as(Some("alice"), text)
}

fn accepted(text: &str) -> Result<String, &'static str> {
    Ok(text.to_owned())
}

#[test]
fn accepts_what_the_documents_accept() {
    assert_eq!(
        of_alice("viking://resources/docs/"),
        accepted("viking://resources/docs")
    );
    assert_eq!(
        of_alice("viking://resources//docs///"),
        accepted("viking://resources/docs")
    );
    assert_eq!(of_alice("viking://"), accepted("viking://"));
    assert_eq!(of_alice("viking://~"), accepted("viking://user/alice"));
    assert_eq!(
        of_alice("viking://~/memories/x"),
        accepted("viking://user/alice/memories/x")
    );
    assert_eq!(
        of_alice("viking://session/s1/log"),
        accepted("viking://user/alice/sessions/s1/log")
    );
    assert_eq!(
        of_alice("viking://resources/a?x=1#h"),
        accepted("viking://resources/a#h")
    );
    assert_eq!(
        resolve_as(Some("memories"), "viking://user/memories/x"),
        accepted("viking://user/memories/x")
    );
}

#[test]
fn refuses_what_the_documents_refuse_with_their_codes() {
    for text in [
        "",
        " ",
        "resources/docs",
        "/resources/docs",
        "http://resources/docs",
        "viking://temp/x",
        "viking://queue",
        "viking://upload/x",
        "viking://Resources/x",
        "viking://resources/a\u{0}b",
    ] {
        assert_eq!(of_alice(text), Err("INVALID_URI"), "{text}");
    }
    for text in [
        "viking://resources/../user",
        "viking://resources/.",
        "viking://resources/a\\b",
        "viking://resources/C:/x",
        "viking://~/../bob",
    ] {
        assert_eq!(of_alice(text), Err("PERMISSION_DENIED"), "{text}");
    }
    assert_eq!(resolve_as(None, "viking://~/x"), Err("INVALID_URI"));
    assert_eq!(resolve_as(None, "viking://session/s"), Err("INVALID_URI"));
    let error = Uri::parse("viking://temp/x").expect_err("an internal scope");
    assert!(error.message().contains("agent, resources, session, user"));
}

#[test]
fn short_forms_are_the_current_users() {
    for folder in [
        "memories/a",
        "resources",
        "skills",
        "peers/p",
        "privacy",
        "sessions/s",
    ] {
        let short = format!("viking://user/{folder}");
        let full = format!("viking://user/alice/{folder}");
        assert_eq!(of_alice(&short), accepted(&full));
        assert_eq!(resolve_as(None, &short), Err("INVALID_URI"), "{short}");
    }
    let nobody = Identity::default();
    let resolver = Resolver {
        identity: &nobody,
        clock: MAY_7,
    };
    let error = Uri::resolve("viking://user/memories/a", &resolver).expect_err("whose?");
    assert!(error.message().contains("needs a user"), "{error:?}");
}

#[test]
fn path_variables_follow_the_callers_day() {
    let at = |text: &str, offset: i32| {
        expand_variables(
            text,
            Clock {
                utc_offset_minutes: offset,
                ..MAY_7
            },
        )
    };
    assert_eq!(
        at(
            "{calendar:today}|{calendar:yesterday}|{calendar:tomorrow}",
            0
        ),
        "2026/05/07|2026/05/06|2026/05/08"
    );
    assert_eq!(
        at(
            "{calendar:year} {calendar:month} {calendar:day} {calendar:ym}",
            0
        ),
        "2026 05 07 2026/05"
    );
    assert_eq!(
        at(
            "{calendar:quarter} {calendar:yq} {calendar:week} {calendar:yw}",
            0
        ),
        "Q2 2026/Q2 19 2026/w19"
    );
    assert_eq!(at("{calendar:today}", 13 * 60), "2026/05/08");
    assert_eq!(
        at("{calendar:noon}/{calendar:day", 0),
        "{calendar:noon}/{calendar:day"
    );
    assert_eq!(
        of_alice("viking://resources/log/{calendar:ym}"),
        accepted("viking://resources/log/2026/05")
    );
}

#[test]
fn context_type_follows_the_location() {
    for (text, expected) in [
        ("viking://user/a/memories", "memory"),
        ("viking://user/a/memories/skills/x.md", "memory"),
        ("viking://user/a/peers/p/memories/x", "memory"),
        ("viking://user/a/peers/p/resources/memories", "resource"),
        ("viking://user/a/skills/s", "skill"),
        ("viking://agent/skills/s", "skill"),
        ("viking://agent/x/memories/m", "memory"),
        ("viking://agent/x/skills", "skill"),
        ("viking://agent/tools/t", "resource"),
        ("viking://user/a/resources/r", "resource"),
        ("viking://resources/a/memories", "resource"),
        ("viking://", "resource"),
    ] {
        assert_eq!(
            Uri::parse(text).expect(text).context_type().as_str(),
            expected,
            "{text}"
        );
    }
}

#[test]
fn sidecars_go_on_and_come_off() {
    assert_eq!(
        with_sidecar("viking://resources/d/", 0),
        "viking://resources/d/.abstract.md"
    );
    assert_eq!(
        with_sidecar("viking://resources/d", 1),
        "viking://resources/d/.overview.md"
    );
    assert_eq!(
        with_sidecar("viking://resources/d/.abstract.md", 1),
        "viking://resources/d/.abstract.md"
    );
    assert_eq!(
        with_sidecar("viking://resources/f.md", 2),
        "viking://resources/f.md"
    );
    assert_eq!(
        split_sidecar("viking://resources/d/.overview.md"),
        ("viking://resources/d", Some(1))
    );
    assert_eq!(
        split_sidecar("viking://resources/x.abstract.md"),
        ("viking://resources/x.abstract.md", None)
    );
    assert_eq!(split_sidecar(&with_sidecar(SCHEME, 0)), (SCHEME, Some(0)));
}

#[test]
fn join_and_parent_are_inverse_for_every_file_name() {
    let base = Uri::parse("viking://resources").expect("a scope");
    for name in [
        "a b", "c#.md", "what?.md", "100%.md", "%23", "a\\b", "C:", "x:y", "ü日", ".hidden", "%zz%",
    ] {
        let child = base.join(name).expect(name);
        assert_eq!(
            Uri::parse(child.as_str()).expect(name),
            child,
            "canonical: {name}"
        );
        assert_eq!(decode_name(child.name()), name);
        assert_eq!(child.parent(), Some(base.clone()));
        assert!(child.is_within(&base) && !base.is_within(&child));
    }
    for name in ["", ".", "..", "a/b", "a\nb"] {
        assert!(base.join(name).is_err(), "{name:?}");
    }
    assert_eq!(base.parent(), Some(Uri::root()));
    assert_eq!(Uri::root().parent(), None);
    assert_eq!(
        Uri::root().join("user").expect("a name").as_str(),
        "viking://user"
    );
}

#[test]
fn within_counts_whole_segments_and_no_fragment() {
    let uri = |text: &str| Uri::parse(text).expect(text);
    assert!(uri("viking://resources/a#x").is_within(&uri("viking://resources/a")));
    assert!(!uri("viking://resources/ab").is_within(&uri("viking://resources/a")));
    assert!(uri("viking://resources/ab").is_within(&Uri::root()));
    let section = uri("viking://resources/a").with_fragment("intro");
    assert_eq!((section.fragment(), section.name()), (Some("intro"), "a"));
    assert_eq!(section.parent(), Some(uri("viking://resources/a")));
}

#[test]
fn peer_ids() {
    for id in ["web-visitor-alice", "a@b.c", "x_1"] {
        assert!(check_peer_id(id).is_ok(), "{id}");
    }
    for id in [
        "",
        ".",
        "..",
        "web:visitor:alice",
        "web+visitor",
        "a@b@c",
        "a/b",
        "ü",
    ] {
        assert!(check_peer_id(id).is_err(), "{id}");
    }
    assert!(Identity::new(Some("a/b"), None).is_err());
}
