//! Regular expressions in filters: natively the `regex` crate, in the browser its own `RegExp`, which costs no bytes.
//!
//! Both search unanchored. `RegExp` backtracks, so a hostile pattern can take long there; patterns are short.

use super::Pattern;

/// Longest pattern, in bytes.
const MAX_PATTERN: usize = 256;

/// Compiles a pattern. Errors: why it does not compile.
pub fn compile(pattern: &str) -> Result<Pattern, String> {
    if pattern.len() > MAX_PATTERN {
        return Err(["it is longer than ", &MAX_PATTERN.to_string(), " bytes"].concat());
    }
    engine::compile(pattern)
}

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
mod engine {
    use super::Pattern;

    pub fn compile(pattern: &str) -> Result<Pattern, String> {
        let regex = regex::RegexBuilder::new(pattern)
            .size_limit(1 << 20)
            .build();
        let regex = regex.map_err(|error| error.to_string())?;
        Ok(Box::new(move |text| regex.is_match(text)))
    }
}

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod engine {
    use super::Pattern;
    use js_sys::{Array, Error, Function, Reflect, RegExp, global};

    pub fn compile(pattern: &str) -> Result<Pattern, String> {
        // Called through `Reflect`, which catches what the constructor throws.
        let made = Reflect::get(&global(), &"RegExp".into()).and_then(|class| {
            Reflect::construct(
                &Function::from(class),
                &Array::of2(&pattern.into(), &"u".into()),
            )
        });
        match made {
            Ok(regexp) => {
                let regexp = RegExp::from(regexp);
                Ok(Box::new(move |text| regexp.test(text)))
            }
            Err(thrown) => Err(Error::from(thrown).message().into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_anywhere_and_refuses_what_does_not_compile() {
        let matches = compile("b.d").unwrap();
        assert!(matches("abcde") && !matches("abc"));
        assert!(compile("(").is_err());
        assert!(compile(&"a".repeat(MAX_PATTERN + 1)).is_err());
    }
}
