//! Options, results and errors across the boundary.

use crate::base::error::Error;
#[cfg(not(any(feature = "patterns", feature = "search")))]
pub use shapes::value;
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
    use crate::base::options::Source;
    use crate::base::value::Value;
    use js_sys::{Array, Object, Reflect};
    use serde::Serialize;
    use wasm_bindgen::JsCast;
    use wasm_bindgen::prelude::JsValue;

    /// A result as plain objects, arrays, strings and numbers.
    pub fn value(result: &impl Serialize) -> Result<JsValue> {
        serde_wasm_bindgen::to_value(result)
            .map_err(|error| Error::new(ErrorKind::Internal, error.to_string()))
    }

    impl Source for JsValue {
        fn is_missing(&self) -> bool {
            self.is_undefined()
        }

        fn is_null(&self) -> bool {
            JsValue::is_null(self)
        }

        fn flag(&self) -> Option<bool> {
            self.as_bool()
        }

        fn number(&self) -> Option<f64> {
            self.as_f64()
        }

        fn text(&self) -> Option<String> {
            self.as_string()
        }

        fn items(&self) -> Option<Vec<Self>> {
            Array::is_array(self).then(|| self.unchecked_ref::<Array>().iter().collect())
        }

        /// A getter that throws reads as null.
        fn members(&self) -> Option<Vec<(String, Self)>> {
            if !self.is_object() {
                return None;
            }
            let mut members = Vec::new();
            for key in Object::keys(self.unchecked_ref::<Object>()).iter() {
                let field = Reflect::get(self, &key).unwrap_or(JsValue::NULL);
                members.push((key.as_string().unwrap_or_default(), field));
            }
            Some(members)
        }

        #[cfg(feature = "full")]
        fn value(&self) -> Option<Value> {
            plain(self, crate::base::value::MAX_DEPTH)
        }

        /// The core's only option of this kind is `level`.
        #[cfg(not(feature = "full"))]
        fn value(&self) -> Option<Value> {
            use crate::base::options::{OneOrMany, Setting};
            if let Some(levels) = self.as_string() {
                return Some(Value::Text(levels));
            }
            Some(match OneOrMany::read(self)? {
                OneOrMany::One(level) => Value::Int(level),
                OneOrMany::Many(levels) => {
                    Value::List(levels.into_iter().map(Value::Int).collect())
                }
            })
        }

        /// Of a typed array, too.
        fn numbers(&self) -> Option<Vec<f32>> {
            let mut numbers = Vec::new();
            for item in js_sys::try_iter(self).ok()?? {
                numbers.push(item.ok()?.as_f64()? as f32);
            }
            Some(numbers)
        }
    }

    #[cfg(feature = "full")]
    fn plain(value: &JsValue, depth: usize) -> Option<Value> {
        if value.is_missing() || JsValue::is_null(value) {
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
}
