//! Tables of options. An option is one entry of a table, and everything else is made from it.
//!
//! [`options!`](crate::options) turns a table into a struct with its defaults, a reader from any [`Source`], and the
//! part of a cache key. Outside the browser it also describes the table: the flags of the command line, the types and
//! checks of the package and the reference in the docs are written from [`OptionInfo`] (tests/it/options.rs).
//! [`words!`](crate::words) does the same for an option that is one of a few words.

mod settings;

use super::error::{Error, ErrorKind, Result};
use super::key::CacheKey;
use super::value::Value;
pub use settings::OneOrMany;

/// An object that options are read from. Each module of the browser has at most one kind.
pub trait Source: Sized {
    /// True for `undefined`, which leaves an option as it is.
    fn is_missing(&self) -> bool {
        false
    }
    /// True for null.
    fn is_null(&self) -> bool;
    /// The truth value, if it is one.
    fn flag(&self) -> Option<bool>;
    /// The number, if it is one.
    fn number(&self) -> Option<f64>;
    /// The text, if it is one.
    fn text(&self) -> Option<String>;
    /// The items, if it is a list.
    fn items(&self) -> Option<Vec<Self>>;
    /// The members in their order, if it is an object.
    fn members(&self) -> Option<Vec<(String, Self)>>;
    /// A copy without a schema; `None` when it is nested deeper than [`super::value::MAX_DEPTH`] or no plain data.
    fn value(&self) -> Option<Value>;
    /// The numbers of a list, or of anything else that the source can walk through.
    fn numbers(&self) -> Option<Vec<f32>> {
        let items = self.items()?;
        items.iter().map(f32::read).collect()
    }
}

/// A type that an option can have.
pub trait Setting: Sized {
    /// Completes "option x is not …".
    const WANTED: &'static str;

    /// The value, if the source holds one of this type.
    fn read(source: &impl Source) -> Option<Self>;

    /// Adds the value to the key of an answer.
    fn add_to(&self, key: &mut CacheKey);

    /// The type as other languages have it.
    fn shape() -> Shape;

    /// The value as it is written in JSON; empty for no value.
    fn shown(&self) -> String {
        String::new()
    }
}

/// A struct of options, seen by its reader.
pub trait Options<S> {
    /// Names of the options that this module has.
    fn names(&self) -> &'static [&'static str];

    /// Sets one of [`Options::names`]. Errors: the phrase that completes "option x is not …".
    fn set(&mut self, name: &str, value: &S) -> std::result::Result<(), &'static str>;
}

/// Reads options from an object; missing ones and null give the defaults.
///
/// Errors: `INVALID_ARGUMENT` naming the option that is unknown or of the wrong type.
pub fn read<S: Source, T: Options<S> + Default>(source: &S) -> Result<T> {
    let mut options = T::default();
    fill(&mut options, source)?;
    Ok(options)
}

/// Sets the options that an object has, and leaves the others. Errors: as [`read`].
///
/// Written by hand: serde's derived readers weigh eight times as much in the browser's module.
pub fn fill<S: Source>(options: &mut dyn Options<S>, source: &S) -> Result<()> {
    if source.is_missing() || source.is_null() {
        return Ok(());
    }
    let Some(members) = source.members() else {
        return Err(invalid(&["the options are not an object"]));
    };
    for (name, value) in &members {
        if !options.names().contains(&name.as_str()) {
            let known = options.names().join(", ");
            let message = ["unknown option ", name, "; known are ", &known, MORE];
            return Err(invalid(&message));
        }
        if !value.is_missing() {
            options
                .set(name, value)
                .map_err(|wanted| invalid(&["option ", name, " is not ", wanted]))?;
        }
    }
    Ok(())
}

/// Points to the options that this module does not have.
const MORE: &str = if cfg!(feature = "full") {
    ""
} else {
    " (the package `knarr` has more than `knarr/core`)"
};

fn invalid(message: &[&str]) -> Error {
    Error::new(ErrorKind::InvalidArgument, message.concat())
}

/// Sets one field. For [`options!`](crate::options).
pub fn assign<T: Setting>(
    field: &mut T,
    value: &impl Source,
) -> std::result::Result<(), &'static str> {
    *field = T::read(value).ok_or(T::WANTED)?;
    Ok(())
}

/// The type of an option, for the languages that it is written down in.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// True or false.
    Flag,
    /// A whole number from 0.
    Whole,
    /// A whole number.
    Integer,
    /// Any finite JSON number.
    Number,
    /// Free text, without a list of words.
    Text,
    /// One of a few words, each with its sentence.
    Word(&'static [(&'static str, &'static str)]),
    /// Several values of one kind.
    List(Box<Shape>),
    /// A single value or a list.
    OneOrMany(Box<Shape>),
    /// A value, or null for none.
    Optional(Box<Shape>),
    /// Data with a schema of its own.
    Any,
}

/// An entry of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct OptionInfo {
    /// The name in Rust, JSON and JavaScript.
    pub name: &'static str,
    /// The description, with its first and last character a blank or the end of a sentence.
    pub sentence: &'static str,
    /// The type.
    pub shape: Shape,
    /// The default in JSON; empty when there is none.
    pub default: String,
    /// True if the core module has the option, too.
    pub in_core: bool,
    /// The type in TypeScript where [`OptionInfo::shape`] does not tell it.
    pub ts: Option<&'static str>,
    /// The check in pkg/src/server-requests.js where [`OptionInfo::shape`] does not tell it.
    pub js: Option<&'static str>,
    /// The flag on the command line with the name of its value, if it takes one.
    pub flag: Option<(&'static str, Option<&'static str>)>,
    /// True if only `knarr find` has the flag, because it adds to the printed answer.
    pub is_report: bool,
    /// For an option that no server has: the JavaScript values with which it asks for nothing.
    pub unserved: Option<&'static str>,
}

/// Makes structs of options.
///
/// An entry is `name: type = default, key` and then, in this order, what applies:
/// - key: `answer` (part of the cache key), `set` (the same, but order and repetition of a list do not matter) or `clock`
///   (left to the caller: it counts only where a question is about time);
/// - `only "full"`: the core module does not have it;
/// - `ts "…"`, `js "…"`: its type and its check where the Rust type does not tell them;
/// - `flag "name"`, `flag "name" "VALUE"`: a flag of `knarr find` and `knarr search`; `report` in place of `flag`: of
///   `find` only. The flag of an option that is on by default turns it off;
/// - `unserved "…"`: no server has it; the values with which it asks for nothing.
#[doc(hidden)]
#[macro_export]
macro_rules! options {
    ($(
        $(#[doc = $about:literal])+
        pub struct $name:ident {$(
            $(#[doc = $doc:literal])+
            $field:ident: $type:ty = $default:expr, $key:ident
                $(, only $feature:tt)?
                $(, ts $ts:literal)?
                $(, js $js:literal)?
                $(, flag $flag:literal $($value:literal)?)?
                $(, report $report:literal $($of:literal)?)?
                $(, unserved $unserved:literal)?;
        )+}
    )+) => {$(
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name {$(
            $(#[doc = $doc])+
            pub $field: $type,
        )+}

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default),+ }
            }
        }

        impl<S: $crate::base::options::Source> $crate::base::options::Options<S> for $name {
            fn names(&self) -> &'static [&'static str] {
                &[$($(#[cfg(feature = $feature)])? stringify!($field)),+]
            }

            fn set(&mut self, name: &str, value: &S) -> Result<(), &'static str> {
                match name {
                    $($(#[cfg(feature = $feature)])?
                    stringify!($field) => {
                        $crate::base::options::assign(&mut self.$field, value)
                    })+
                    _ => Err("an option"),
                }
            }
        }

        impl $name {
            /// Reads the options from an object; missing ones and null give the defaults.
            ///
            /// Errors: `INVALID_ARGUMENT` naming the option that is unknown or of the wrong type.
            pub fn read(source: &impl $crate::base::options::Source) -> $crate::Result<Self> {
                $crate::base::options::read(source)
            }

            /// Sets the options that an object has. Errors: as [`Self::read`].
            pub fn fill(&mut self, source: &impl $crate::base::options::Source) -> $crate::Result<()> {
                $crate::base::options::fill(self, source)
            }

            /// Adds everything that can change an answer to its key, `clock` options excepted.
            pub fn add_to(&self, key: &mut $crate::base::key::CacheKey) {
                $($crate::options!(@$key self.$field, key);)+
            }

            /// Name of the first option that is set and that only the full engine has.
            ///
            /// The browser's reader refuses such a name; in Rust the field is there either way.
            #[cfg(all(not(feature = "full"), not(all(target_arch = "wasm32", target_os = "unknown"))))]
            pub fn beyond_core(&self) -> Option<&'static str> {
                let defaults = Self::default();
                let fields = [$((
                    stringify!($field),
                    <[&str]>::is_empty(&[$($feature)?]) || self.$field == defaults.$field,
                )),+];
                fields.into_iter().find(|(_, fits)| !fits).map(|(name, _)| name)
            }

            /// Describes the options in their order.
            #[doc(hidden)]
            pub fn table() -> Vec<$crate::base::options::OptionInfo> {
                use $crate::base::options::Setting;
                let defaults = Self::default();
                vec![$($crate::base::options::OptionInfo {
                    name: stringify!($field),
                    sentence: concat!($($doc),+),
                    shape: <$type>::shape(),
                    default: defaults.$field.shown(),
                    in_core: <[&str]>::is_empty(&[$($feature)?]),
                    ts: $crate::options!(@text $($ts)?),
                    js: $crate::options!(@text $($js)?),
                    flag: $crate::options!(@flag $($flag $($value)?)? $($report $($of)?)?),
                    is_report: !<[&str]>::is_empty(&[$($report)?]),
                    unserved: $crate::options!(@text $($unserved)?),
                }),+]
            }
        }
    )+};
    (@answer $field:expr, $to:ident) => { $crate::base::options::Setting::add_to(&$field, $to) };
    (@set $field:expr, $to:ident) => { $to.set(&$field) };
    (@clock $field:expr, $to:ident) => {};
    (@text) => { None };
    (@text $text:literal) => { Some($text) };
    (@flag) => { None };
    (@flag $flag:literal) => { Some(($flag, None)) };
    (@flag $flag:literal $value:literal) => { Some(($flag, Some($value))) };
}

/// Makes enums whose values are words. An entry is `Variant = "word"`; one of each enum ends with `(default)`.
#[doc(hidden)]
#[macro_export]
macro_rules! words {
    ($(
        $(#[doc = $about:literal])+
        pub enum $name:ident {
            $(#[doc = $doc0:literal])+
            $variant0:ident = $word0:literal $(($mark0:ident))?,
            $(
                $(#[doc = $doc:literal])+
                $variant:ident = $word:literal $(($mark:ident))?,
            )*
        }
    )+) => {$(
        $(#[doc = $about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub enum $name {
            $(#[doc = $doc0])+
            $(#[$mark0])?
            $variant0,
            $(
                $(#[doc = $doc])+
                $(#[$mark])?
                $variant,
            )*
        }

        impl $name {
            /// Every value with its word.
            pub const WORDS: &'static [(&'static str, Self)] =
                &[($word0, Self::$variant0), $(($word, Self::$variant)),*];

            /// The value of a word.
            pub fn of_word(word: &str) -> Option<Self> {
                let known = Self::WORDS.iter().find(|(known, _)| *known == word);
                known.map(|(_, value)| *value)
            }

            /// The variant as it is written in options.
            pub fn word(self) -> &'static str {
                match self {
                    Self::$variant0 => $word0,
                    $(Self::$variant => $word,)*
                }
            }
        }

        impl $crate::base::options::Setting for $name {
            const WANTED: &'static str = concat!("one of ", $word0 $(, ", ", $word)*);

            fn read(source: &impl $crate::base::options::Source) -> Option<Self> {
                Self::of_word(&source.text()?)
            }

            fn add_to(&self, key: &mut $crate::base::key::CacheKey) {
                key.number(*self as u64);
            }

            fn shape() -> $crate::base::options::Shape {
                $crate::base::options::Shape::Word(&[
                    ($word0, concat!($($doc0),+)),
                    $(($word, concat!($($doc),+)),)*
                ])
            }

            fn shown(&self) -> String {
                ["\"", self.word(), "\""].concat()
            }
        }
    )+};
}

impl Source for Value {
    fn is_null(&self) -> bool {
        *self == Self::Null
    }

    fn flag(&self) -> Option<bool> {
        match self {
            Self::Bool(truth) => Some(*truth),
            _ => None,
        }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Self::Int(whole) => Some(*whole as f64),
            Self::Float(number) => Some(*number),
            _ => None,
        }
    }

    fn text(&self) -> Option<String> {
        self.as_text().map(str::to_owned)
    }

    fn items(&self) -> Option<Vec<Self>> {
        match self {
            Self::List(items) => Some(items.clone()),
            _ => None,
        }
    }

    fn members(&self) -> Option<Vec<(String, Self)>> {
        match self {
            Self::Map(members) => Some(members.clone()),
            _ => None,
        }
    }

    fn value(&self) -> Option<Value> {
        Some(self.clone())
    }
}
