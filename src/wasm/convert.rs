//! Options, results and errors across the boundary.

use crate::base::error::Error;
#[cfg(not(any(feature = "patterns", feature = "search")))]
pub use shapes::{options, value};
use wasm_bindgen::prelude::JsValue;

/// An `Error` object with the stable `code`; the package makes a `KnarrError` of it.
pub fn js_error(error: &Error) -> JsValue {
    let object = js_sys::Error::new(error.message());
    // Setting a property of an object made here cannot fail.
    let _ = js_sys::Reflect::set(
        &object,
        &JsValue::from_str("code"),
        &JsValue::from_str(error.code()),
    );
    object.into()
}

#[cfg(not(any(feature = "patterns", feature = "search")))]
mod shapes {
    use crate::base::error::{Error, ErrorKind, Result};
    #[cfg(feature = "full")]
    use crate::find::ask::filter::MAX_DEPTH;
    use crate::find::ask::filter::{TimeField, Value};
    use crate::find::ask::options::{
        FindOptions, GrepOptions, ListOptions, Mode, OneOrMany, Preset, ReadOptions,
    };
    #[cfg(feature = "full")]
    use crate::find::ask::options::{SortBy, SortOrder};
    use js_sys::{Array, Object, Reflect};
    use serde::Serialize;
    use wasm_bindgen::JsCast;
    use wasm_bindgen::prelude::JsValue;

    /// A result as plain objects, arrays, strings and numbers.
    pub fn value(result: &impl Serialize) -> Result<JsValue> {
        serde_wasm_bindgen::to_value(result)
            .map_err(|error| Error::new(ErrorKind::Internal, error.to_string()))
    }

    /// Options from a plain object; `undefined` and `null` are the defaults.
    ///
    /// Read by hand: serde's derived readers weigh eight times as much in the module.
    ///
    /// Errors: `INVALID_ARGUMENT` naming the option that is unknown or of the wrong type.
    pub fn options<T: Options + Default>(value: &JsValue) -> Result<T> {
        let mut options = T::default();
        fill(&mut options, value)?;
        Ok(options)
    }

    fn fill(options: &mut dyn Options, value: &JsValue) -> Result<()> {
        if value.is_undefined() || value.is_null() {
            return Ok(());
        }
        if !value.is_object() {
            return Err(invalid(&["the options are not an object"]));
        }
        for key in Object::keys(value.unchecked_ref::<Object>()).iter() {
            let name = key.as_string().unwrap_or_default();
            // A getter that throws reads as nothing.
            let field = Reflect::get(value, &key).unwrap_or(JsValue::NULL);
            if !options.names().contains(&name.as_str()) {
                let known = options.names().join(", ");
                return Err(invalid(&[
                    "unknown option ",
                    &name,
                    "; known are ",
                    &known,
                    MORE,
                ]));
            }
            if !field.is_undefined() {
                options
                    .set(&name, &field)
                    .map_err(|wanted| invalid(&["option ", &name, " is not ", wanted]))?;
            }
        }
        Ok(())
    }

    /// Where the options are that this module does not have.
    const MORE: &str = if cfg!(feature = "full") {
        ""
    } else {
        " (the package `knarr` has more than `knarr/core`)"
    };

    fn invalid(message: &[&str]) -> Error {
        Error::new(ErrorKind::InvalidArgument, message.concat())
    }

    /// A struct whose fields are options of the same names.
    pub trait Options {
        /// Names of all fields.
        fn names(&self) -> &'static [&'static str];

        /// Sets one of [`Options::names`]. Errors: what the value should have been.
        fn set(&mut self, name: &str, value: &JsValue) -> std::result::Result<(), &'static str>;
    }

    /// Implements [`Options`]. The list of fields is checked: a field left out does not compile. Fields after the bar
    /// are not options of this module.
    macro_rules! options {
        ($($name:ident { $($field:ident),* $(| $($other:ident),*)? })*) => {$(
            impl Options for $name {
                fn names(&self) -> &'static [&'static str] {
                    &[$(stringify!($field)),*]
                }

                fn set(
                    &mut self,
                    name: &str,
                    value: &JsValue,
                ) -> std::result::Result<(), &'static str> {
                    let Self { $($field,)* $($($other: _),*)? } = self;
                    match name {
                        $(stringify!($field) => read($field, value),)*
                        _ => Err("an option"),
                    }
                }
            }
        )*};
    }

    #[cfg(feature = "full")]
    options! {
        FindOptions {
            target_uri, limit, node_limit, score_threshold, level, mode, preset, filter, tags, context_type, since,
            until, time_field, user, actor_peer, now, utc_offset_minutes, alpha, vector, graph, hybrid, explain, trace,
            telemetry, relations, lang, version, prefix, excerpts
        }
    }

    #[cfg(not(feature = "full"))]
    options! {
        FindOptions {
            target_uri, limit, score_threshold, level, mode, alpha, vector, lang, version, prefix,
            excerpts | node_limit, preset, filter, tags, context_type, since, until, time_field, user, actor_peer, now,
            utc_offset_minutes, graph, hybrid, explain, trace, telemetry, relations
        }
    }

    options! {
        GrepOptions { case_insensitive, node_limit, level_limit, exclude_uri }
    }

    #[cfg(feature = "full")]
    options! {
        ReadOptions { offset, limit, raw }
        ListOptions { abs_limit, node_limit, level_limit, recursive, show_all_hidden, sort_by, sort_order }
    }

    #[cfg(not(feature = "full"))]
    options! {
        ReadOptions { offset, limit | raw }
        ListOptions { abs_limit, node_limit, level_limit, recursive | show_all_hidden, sort_by, sort_order }
    }

    fn read<T: FromOption>(
        field: &mut T,
        value: &JsValue,
    ) -> std::result::Result<(), &'static str> {
        *field = T::from_option(value).ok_or(T::WANTED)?;
        Ok(())
    }

    /// What an option can be.
    trait FromOption: Sized {
        /// Completes "option x is not …".
        const WANTED: &'static str;

        fn from_option(value: &JsValue) -> Option<Self>;
    }

    impl FromOption for bool {
        const WANTED: &'static str = "true or false";

        fn from_option(value: &JsValue) -> Option<Self> {
            value.as_bool()
        }
    }

    impl FromOption for String {
        const WANTED: &'static str = "a string";

        fn from_option(value: &JsValue) -> Option<Self> {
            value.as_string()
        }
    }

    impl FromOption for f32 {
        const WANTED: &'static str = "a number";

        fn from_option(value: &JsValue) -> Option<Self> {
            value.as_f64().map(|number| number as f32)
        }
    }

    impl FromOption for i64 {
        const WANTED: &'static str = "a whole number";

        fn from_option(value: &JsValue) -> Option<Self> {
            let number = value.as_f64()?;
            let whole = number as i64;
            (whole as f64 == number).then_some(whole)
        }
    }

    impl FromOption for usize {
        const WANTED: &'static str = "a whole number from 0 to 4294967295";

        fn from_option(value: &JsValue) -> Option<Self> {
            i64::from_option(value)?.try_into().ok()
        }
    }

    impl FromOption for Mode {
        const WANTED: &'static str = "one of auto, quick, thinking";

        fn from_option(value: &JsValue) -> Option<Self> {
            Some(match value.as_string()?.as_str() {
                "auto" => Self::Auto,
                "quick" => Self::Quick,
                "thinking" => Self::Thinking,
                _ => return None,
            })
        }
    }

    impl FromOption for Preset {
        const WANTED: &'static str = "one of classic, classic+leaves, current";

        fn from_option(value: &JsValue) -> Option<Self> {
            Some(match value.as_string()?.as_str() {
                "classic" => Self::Classic,
                "classic+leaves" => Self::ClassicLeaves,
                "current" => Self::Current,
                _ => return None,
            })
        }
    }

    impl FromOption for TimeField {
        const WANTED: &'static str = "one of updated_at, created_at";

        fn from_option(value: &JsValue) -> Option<Self> {
            Some(match value.as_string()?.as_str() {
                "updated_at" => Self::UpdatedAt,
                "created_at" => Self::CreatedAt,
                _ => return None,
            })
        }
    }

    #[cfg(feature = "full")]
    impl FromOption for SortBy {
        const WANTED: &'static str = "one of name, mtime";

        fn from_option(value: &JsValue) -> Option<Self> {
            Some(match value.as_string()?.as_str() {
                "name" => Self::Name,
                "mtime" => Self::Mtime,
                _ => return None,
            })
        }
    }

    #[cfg(feature = "full")]
    impl FromOption for SortOrder {
        const WANTED: &'static str = "one of asc, desc";

        fn from_option(value: &JsValue) -> Option<Self> {
            Some(match value.as_string()?.as_str() {
                "asc" => Self::Asc,
                "desc" => Self::Desc,
                _ => return None,
            })
        }
    }

    #[cfg(feature = "full")]
    impl FromOption for Value {
        const WANTED: &'static str = "a plain object, not nested deeper than 32 levels";

        fn from_option(value: &JsValue) -> Option<Self> {
            plain(value, MAX_DEPTH)
        }
    }

    /// The core's only option of this kind is `level`.
    #[cfg(not(feature = "full"))]
    impl FromOption for Value {
        const WANTED: &'static str = "a level from 0 to 2, or a list of them";

        fn from_option(value: &JsValue) -> Option<Self> {
            Some(match OneOrMany::from_option(value)? {
                OneOrMany::One(level) => Self::Int(level),
                OneOrMany::Many(levels) => Self::List(levels.into_iter().map(Self::Int).collect()),
            })
        }
    }

    #[cfg(feature = "full")]
    fn plain(value: &JsValue, depth: usize) -> Option<Value> {
        if value.is_undefined() || value.is_null() {
            return Some(Value::Null);
        }
        if let Some(truth) = value.as_bool() {
            return Some(Value::Bool(truth));
        }
        if let Some(number) = value.as_f64() {
            let whole = number as i64;
            let is_whole = whole as f64 == number;
            return Some(if is_whole {
                Value::Int(whole)
            } else {
                Value::Float(number)
            });
        }
        if let Some(text) = value.as_string() {
            return Some(Value::Text(text));
        }
        if !value.is_object() || depth == 0 {
            return None;
        }
        if Array::is_array(value) {
            let items = value.unchecked_ref::<Array>().iter();
            return items
                .map(|item| plain(&item, depth - 1))
                .collect::<Option<_>>()
                .map(Value::List);
        }
        let mut entries = Vec::new();
        for key in Object::keys(value.unchecked_ref::<Object>()).iter() {
            let field = Reflect::get(value, &key).ok()?;
            entries.push((key.as_string()?, plain(&field, depth - 1)?));
        }
        Some(Value::Map(entries))
    }

    impl FromOption for Vec<String> {
        const WANTED: &'static str = "a list of strings";

        fn from_option(value: &JsValue) -> Option<Self> {
            match OneOrMany::from_option(value)? {
                OneOrMany::Many(texts) => Some(texts),
                OneOrMany::One(_) => None,
            }
        }
    }

    impl<T: FromOption> FromOption for Option<T> {
        const WANTED: &'static str = T::WANTED;

        fn from_option(value: &JsValue) -> Option<Self> {
            if value.is_null() {
                return Some(None);
            }
            T::from_option(value).map(Some)
        }
    }

    impl<T: FromOption> FromOption for OneOrMany<T> {
        const WANTED: &'static str = T::WANTED;

        fn from_option(value: &JsValue) -> Option<Self> {
            if !Array::is_array(value) {
                return T::from_option(value).map(Self::One);
            }
            let mut many = Vec::new();
            for item in value.unchecked_ref::<Array>().iter() {
                many.push(T::from_option(&item)?);
            }
            Some(Self::Many(many))
        }
    }

    impl FromOption for Vec<f32> {
        const WANTED: &'static str = "a list of numbers";

        fn from_option(value: &JsValue) -> Option<Self> {
            let mut numbers = Vec::new();
            for item in js_sys::try_iter(value).ok()?? {
                numbers.push(f32::from_option(&item.ok()?)?);
            }
            Some(numbers)
        }
    }
}
