//! Targets: from the URIs a caller gives to subtrees, and those that are searched where it gives none.
//!
//! Nothing here ever adds what the identity may not see. Source: OpenViking specification §1.3 and §2.2.

use crate::base::error::{Error, ErrorKind, Result};
use crate::base::uri::{ContextType, Identity, Resolver, SCHEME, Uri, check_peer_id};
use crate::bundle::place::whole;

/// Resolves the targets that a request names, each to the subtrees that are searched of it, in order and once.
///
/// `""`, `/` and `viking://` name nothing. A file is an exact scope. Errors: those of [`Uri::resolve`];
/// `PERMISSION_DENIED` for what the identity may not see, and for another peer than the acting one; `INVALID_ARGUMENT`
/// for what is not searchable below a peer.
pub fn resolve_targets<'a>(
    targets: impl IntoIterator<Item = &'a str>,
    resolver: &Resolver,
) -> Result<Vec<Vec<Uri>>> {
    let mut named = Vec::new();
    for target in targets.into_iter().map(str::trim) {
        if matches!(target, "" | "/" | SCHEME) {
            continue;
        }
        let uri = Uri::resolve(target, resolver)?;
        whole(&uri)?;
        check_visible(&uri, resolver.identity)?;
        let parts = expand(uri, resolver.identity)?;
        if !named.contains(&parts) {
            named.push(parts);
        }
    }
    Ok(named)
}

/// The subtrees searched when a request names none: the [`default_roots`] of each of `types`, or those without a type.
pub fn usual_roots(types: &[ContextType], identity: &Identity) -> Vec<Uri> {
    let mut roots = Vec::new();
    for &context_type in types {
        add_all(&mut roots, default_roots(Some(context_type), identity));
    }
    match types {
        [] => default_roots(None, identity),
        _ => roots,
    }
}

/// Adds what is not there yet.
pub fn add_all(scopes: &mut Vec<Uri>, more: Vec<Uri>) {
    for scope in more {
        if !scopes.contains(&scope) {
            scopes.push(scope);
        }
    }
}

/// The subtrees searched for one type, or for any. Without a user those that all share, and nothing without a peer
/// either: there is no scope then.
///
/// Shared skills (`viking://agent/skills`) belong to every user, also where no type is asked for: a question that names
/// no type is about all three.
pub fn default_roots(context_type: Option<ContextType>, identity: &Identity) -> Vec<Uri> {
    if *identity == Identity::default() {
        return Vec::new();
    }
    let shared = |path: &str| Some(Uri::from_canonical(format!("{SCHEME}{path}")));
    let of_user = |path: &str| shared(&format!("user/{}{path}", identity.user()?));
    let of_peer = |folder: &str| of_user(&format!("/peers/{}/{folder}", identity.peer()?));
    let roots = match (context_type, identity.peer()) {
        (None, None) => vec![of_user(""), shared("resources"), shared("agent/skills")],
        (None, Some(_)) => vec![
            shared("resources"),
            of_user("/memories"),
            of_user("/resources"),
            of_user("/skills"),
            of_peer("memories"),
            of_peer("resources"),
            shared("agent/skills"),
        ],
        (Some(ContextType::Memory), None) => vec![of_user("")],
        (Some(ContextType::Memory), Some(_)) => vec![of_user("/memories"), of_peer("memories")],
        (Some(ContextType::Resource), None) => vec![shared("resources"), of_user("")],
        (Some(ContextType::Resource), Some(_)) => {
            vec![
                shared("resources"),
                of_user("/resources"),
                of_peer("resources"),
            ]
        }
        (Some(ContextType::Skill), _) => vec![of_user("/skills"), shared("agent/skills")],
    };
    roots.into_iter().flatten().collect()
}

/// Refuses targets outside the shared scopes and the user's own. An identity without a user sees everything.
fn check_visible(uri: &Uri, identity: &Identity) -> Result<()> {
    let mut segments = uri.segments();
    let visible = match (identity.user(), segments.next(), segments.next()) {
        (None, ..) | (_, Some("resources" | "agent"), _) => true,
        (Some(user), Some("user"), Some(owner)) => owner == user,
        _ => false,
    };
    if visible {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::PermissionDenied,
        format!("Access denied for {uri}"),
    ))
}

/// The parts of a target that are searched: a peer's folders, and with an acting peer only that peer's.
fn expand(uri: Uri, identity: &Identity) -> Result<Vec<Uri>> {
    let segments: Vec<&str> = uri.segments().collect();
    let peer_folders = |peer: &str| -> Vec<Uri> {
        let base = segments[..2].join("/");
        ["memories", "resources"]
            .map(|folder| Uri::from_canonical(format!("{SCHEME}{base}/peers/{peer}/{folder}")))
            .to_vec()
    };
    match (segments.as_slice(), identity.peer()) {
        (["user", _], Some(peer)) => {
            let own = ["memories", "resources", "skills"]
                .map(|folder| Uri::from_canonical(format!("{uri}/{folder}")));
            Ok([own.to_vec(), peer_folders(peer)].concat())
        }
        (["user", _, "peers"], Some(peer)) => Ok(peer_folders(peer)),
        (["user", _, "peers", peer, rest @ ..], actor) => {
            check_peer_id(peer)?;
            if actor.is_some_and(|actor| actor != *peer) {
                return Err(Error::new(
                    ErrorKind::PermissionDenied,
                    format!("Access denied for {uri}"),
                ));
            }
            match rest {
                [] => Ok(peer_folders(peer)),
                ["memories" | "resources", ..] => Ok(vec![uri]),
                [other, ..] => {
                    let message = format!(
                        "`{other}` is not searchable below a peer: only memories and resources are"
                    );
                    Err(Error::new(ErrorKind::InvalidArgument, message))
                }
            }
        }
        _ => Ok(vec![uri]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::uri::Clock;

    fn resolve(
        peer: Option<&str>,
        targets: &[&str],
    ) -> Result<Vec<String>, (&'static str, String)> {
        resolve_as(Some("alice"), peer, targets)
    }

    fn resolve_as(
        user: Option<&str>,
        peer: Option<&str>,
        targets: &[&str],
    ) -> Result<Vec<String>, (&'static str, String)> {
        let identity = Identity::new(user, peer).expect("a valid identity");
        let resolver = Resolver {
            identity: &identity,
            clock: Clock::default(),
        };
        let named = resolve_targets(targets.iter().copied(), &resolver);
        let named = named.map_err(|error| (error.code(), error.message().to_owned()))?;
        let scopes = match named.as_slice() {
            [] => usual_roots(&[], &identity),
            named => named.concat(),
        };
        for scope in &scopes {
            assert_eq!(Uri::parse(scope.as_str()).as_ref(), Ok(scope), "canonical");
        }
        Ok(scopes
            .iter()
            .map(|uri| uri.as_str().replacen("viking://", "", 1))
            .collect())
    }

    fn code(peer: Option<&str>, target: &str) -> &'static str {
        resolve(peer, &[target]).expect_err(target).0
    }

    fn defaults(context_type: Option<ContextType>, peer: Option<&str>) -> Vec<String> {
        let identity = Identity::new(Some("alice"), peer).expect("a valid identity");
        let roots = default_roots(context_type, &identity);
        roots
            .iter()
            .map(|uri| uri.as_str().replacen("viking://", "", 1))
            .collect()
    }

    #[test]
    fn defaults_by_type_and_peer() {
        let (memory, resource, skill) = (
            ContextType::Memory,
            ContextType::Resource,
            ContextType::Skill,
        );
        assert_eq!(
            defaults(None, None),
            ["user/alice", "resources", "agent/skills"]
        );
        assert_eq!(defaults(Some(memory), None), ["user/alice"]);
        assert_eq!(defaults(Some(resource), None), ["resources", "user/alice"]);
        assert_eq!(
            defaults(Some(skill), None),
            ["user/alice/skills", "agent/skills"]
        );
        assert_eq!(
            defaults(None, Some("p")),
            [
                "resources",
                "user/alice/memories",
                "user/alice/resources",
                "user/alice/skills",
                "user/alice/peers/p/memories",
                "user/alice/peers/p/resources",
                "agent/skills"
            ]
        );
        assert_eq!(
            defaults(Some(memory), Some("p")),
            ["user/alice/memories", "user/alice/peers/p/memories"]
        );
        assert_eq!(
            defaults(Some(resource), Some("p")),
            [
                "resources",
                "user/alice/resources",
                "user/alice/peers/p/resources"
            ]
        );
        assert_eq!(
            defaults(Some(skill), Some("p")),
            ["user/alice/skills", "agent/skills"]
        );
        assert_eq!(default_roots(Some(memory), &Identity::default()), []);
        let nobody = Identity::new(None, Some("p")).expect("a valid identity");
        let of_nobody = |context_type| default_roots(context_type, &nobody).len();
        assert_eq!(
            [None, Some(memory), Some(resource), Some(skill)].map(of_nobody),
            [2, 0, 1, 1],
            "what all share"
        );
    }

    #[test]
    fn nothing_named_means_the_defaults_and_repetition_means_once() {
        let defaults = ["user/alice", "resources", "agent/skills"];
        let defaults = Ok(defaults.map(str::to_owned).to_vec());
        assert_eq!(resolve(None, &[]), defaults);
        assert_eq!(resolve(None, &["", "/", "viking://", " "]), defaults);
        assert_eq!(resolve_as(None, None, &[""]), Ok(vec![]));
        let twice = [
            "viking://resources/a/",
            "viking://resources/a",
            "",
            "viking://~/memories",
        ];
        assert_eq!(
            resolve(None, &twice),
            Ok(vec![
                "resources/a".to_owned(),
                "user/alice/memories".to_owned()
            ])
        );
    }

    #[test]
    fn types_have_their_roots_and_named_targets_win() {
        let identity = Identity::new(Some("alice"), None).expect("a valid identity");
        let resolver = Resolver {
            identity: &identity,
            clock: Clock::default(),
        };
        let roots = |targets: &[&str], types: &[ContextType]| -> Vec<String> {
            let named = resolve_targets(targets.iter().copied(), &resolver).expect("valid");
            let roots = match named.as_slice() {
                [] => usual_roots(types, &identity),
                named => named.concat(),
            };
            roots.iter().map(Uri::to_string).collect()
        };
        assert_eq!(
            roots(&[""], &[ContextType::Skill, ContextType::Memory]),
            [
                "viking://user/alice/skills",
                "viking://agent/skills",
                "viking://user/alice"
            ]
        );
        assert_eq!(
            roots(&["viking://user/skills"], &[ContextType::Resource]),
            ["viking://user/alice/skills"]
        );
    }

    #[test]
    fn an_acting_peer_narrows_the_users_own_root() {
        assert_eq!(
            resolve(None, &["viking://~"]),
            Ok(vec!["user/alice".to_owned()])
        );
        let expected = [
            "user/alice/memories",
            "user/alice/resources",
            "user/alice/skills",
            "user/alice/peers/p/memories",
            "user/alice/peers/p/resources",
        ];
        assert_eq!(
            resolve(Some("p"), &["viking://user/alice/"]),
            Ok(expected.map(str::to_owned).to_vec())
        );
        assert_eq!(
            resolve(Some("p"), &["viking://~/peers"]),
            Ok(expected[3..].iter().map(|s| s.to_string()).collect())
        );
        assert_eq!(
            resolve(None, &["viking://~/peers"]),
            Ok(vec!["user/alice/peers".to_owned()])
        );
    }

    #[test]
    fn below_a_peer_only_memories_and_resources() {
        for peer in [None, Some("p")] {
            let both = vec![
                "user/alice/peers/p/memories".to_owned(),
                "user/alice/peers/p/resources".to_owned(),
            ];
            assert_eq!(resolve(peer, &["viking://~/peers/p"]), Ok(both));
            let one = vec!["user/alice/peers/p/memories/x.md".to_owned()];
            assert_eq!(
                resolve(peer, &["viking://~/peers/p/memories/x.md"]),
                Ok(one)
            );
            assert_eq!(code(peer, "viking://~/peers/p/skills"), "INVALID_ARGUMENT");
            assert_eq!(
                code(peer, "viking://~/peers/web:visitor"),
                "INVALID_ARGUMENT"
            );
        }
        assert_eq!(code(Some("q"), "viking://~/peers/p"), "PERMISSION_DENIED");
        assert_eq!(
            code(Some("q"), "viking://~/peers/p/memories"),
            "PERMISSION_DENIED"
        );
    }

    #[test]
    fn what_the_identity_may_not_see_is_refused() {
        let (code, message) = resolve(None, &["viking://resources", "viking://user/bob/memories"])
            .expect_err("bob's");
        assert_eq!(
            (code, message.as_str()),
            (
                "PERMISSION_DENIED",
                "Access denied for viking://user/bob/memories"
            )
        );
        assert!(resolve(None, &["viking://user"]).is_err());
        assert!(resolve(None, &["viking://user/alice2"]).is_err());
        assert!(resolve(None, &["viking://agent/skills/x"]).is_ok());
        assert_eq!(
            resolve_as(None, None, &["viking://user/bob"]),
            Ok(vec!["user/bob".to_owned()])
        );
        assert_eq!(
            resolve(None, &["resources/x"]).expect_err("short").0,
            "INVALID_URI"
        );
        assert_eq!(
            resolve(None, &["viking://resources/../user/bob"])
                .expect_err("dots")
                .0,
            "PERMISSION_DENIED"
        );
    }
}
