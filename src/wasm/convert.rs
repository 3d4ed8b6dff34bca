//! Options, results and errors across the boundary.

use crate::error::Error;
#[cfg(not(feature = "patterns"))]
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

#[cfg(not(feature = "patterns"))]
mod shapes {
    use crate::error::{Error, ErrorKind, Result};
    use js_sys::{Object, Reflect};
    use serde::de::{DeserializeOwned, Deserializer, Visitor, value::Error as FieldsOnly};
    use serde::{Serialize, forward_to_deserialize_any};
    use wasm_bindgen::JsCast;
    use wasm_bindgen::prelude::JsValue;

    /// A result as plain objects, arrays, strings and numbers.
    pub fn value(result: &impl Serialize) -> Result<JsValue> {
        serde_wasm_bindgen::to_value(result)
            .map_err(|error| Error::new(ErrorKind::Internal, error.to_string()))
    }

    /// Options from a plain object; `undefined` and `null` are the defaults.
    ///
    /// Errors: `INVALID_ARGUMENT` naming the option that is unknown or of the wrong type.
    pub fn options<T: DeserializeOwned + Default>(value: JsValue) -> Result<T> {
        if value.is_undefined() || value.is_null() {
            return Ok(T::default());
        }
        if !value.is_object() {
            return Err(invalid("the options are not an object"));
        }
        let known = field_names::<T>();
        let keys = Object::keys(value.unchecked_ref::<Object>());
        for key in keys.iter().filter_map(|key| key.as_string()) {
            if !known.contains(&key.as_str()) {
                return Err(invalid(
                    &["unknown option ", &key, "; known are ", &known.join(", ")].concat(),
                ));
            }
        }
        serde_wasm_bindgen::from_value(value.clone()).map_err(|error| {
            let culprit = keys
                .iter()
                .find(|key| !reads_alone::<T>(&value, key))
                .and_then(|key| key.as_string());
            invalid(
                &[
                    "option ",
                    culprit.as_deref().unwrap_or("?"),
                    ": ",
                    &error.to_string(),
                ]
                .concat(),
            )
        })
    }

    /// Whether the options are readable with this one key set, to name the one that is not.
    fn reads_alone<T: DeserializeOwned>(value: &JsValue, key: &JsValue) -> bool {
        let alone = Object::new();
        let copied = Reflect::get(value, key).and_then(|field| Reflect::set(&alone, key, &field));
        copied.is_ok() && serde_wasm_bindgen::from_value::<T>(alone.into()).is_ok()
    }

    /// The names of a struct's fields, as its derived `Deserialize` asks for them.
    ///
    /// serde-wasm-bindgen reads the fields it is asked for and never looks for others, so `deny_unknown_fields` alone
    /// lets a misspelt option pass in silence.
    fn field_names<T: DeserializeOwned>() -> &'static [&'static str] {
        let mut names: &'static [&'static str] = &[];
        let _ = T::deserialize(Fields(&mut names));
        names
    }

    struct Fields<'a>(&'a mut &'static [&'static str]);

    impl<'de> Deserializer<'de> for Fields<'_> {
        type Error = FieldsOnly;

        fn deserialize_any<V: Visitor<'de>>(
            self,
            _: V,
        ) -> std::result::Result<V::Value, FieldsOnly> {
            Err(serde::de::Error::custom(""))
        }

        fn deserialize_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            fields: &'static [&'static str],
            _: V,
        ) -> std::result::Result<V::Value, FieldsOnly> {
            *self.0 = fields;
            Err(serde::de::Error::custom(""))
        }

        forward_to_deserialize_any! {
            bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct
            newtype_struct seq tuple tuple_struct map enum identifier ignored_any
        }
    }

    fn invalid(message: &str) -> Error {
        Error::new(ErrorKind::InvalidArgument, message)
    }
}
