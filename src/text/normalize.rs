//! Spelling that should not matter: width, compatibility forms, diacritics, and letters that are typed in two ways.
//!
//! NFKD, marks of Latin, Greek, Cyrillic, Hebrew and Arabic dropped, NFC. Recomposing keeps Hangul syllables and kana whole.
//! In the browser the tables are the browser's own (`String.prototype.normalize`): they cost no bytes.

use std::borrow::Cow;

/// Normalizes `text`; ASCII is returned as it is. Case is untouched.
pub fn normalize(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(fold(text))
}

/// Accents, the apostrophe that is a letter (of Ukrainian), the points of Hebrew, and the vowels, hamzas and stretching of
/// Arabic.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{2bc}' | '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{640}' | '\u{64b}'..='\u{65f}' | '\u{670}')
}

/// A small letter as keyboards without it write it, and the other of two forms of one letter. NFKD has none of these.
pub fn plain(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'ı' => "i",
        'þ' => "th",
        'ς' => "σ",
        'ى' | 'ی' => "ي",
        'ة' => "ه",
        'ک' => "ك",
        _ => return None,
    })
}

/// The digit that a digit of Arabic, Persian, Hindi or Bengali is; any other character as it is.
pub fn digit(c: char) -> char {
    let zero = match c {
        '\u{660}'..='\u{669}' => 0x660,
        '\u{6f0}'..='\u{6f9}' => 0x6f0,
        '\u{966}'..='\u{96f}' => 0x966,
        '\u{9e6}'..='\u{9ef}' => 0x9e6,
        _ => return c,
    };
    char::from(b'0' + (c as u32 - zero) as u8)
}

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
fn fold(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    text.nfkd().filter(|&c| !is_mark(c)).nfc().collect()
}

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
fn fold(text: &str) -> String {
    let decomposed = String::from(js_sys::JsString::from(text).normalize("NFKD"));
    let bare: String = decomposed.chars().filter(|&c| !is_mark(c)).collect();
    String::from(js_sys::JsString::from(bare).normalize("NFC"))
}

/// `text` with its marks on its letters (NFC).
#[cfg(feature = "index")]
pub fn composed(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    text.nfc().collect()
}

/// `text` in lower case; see [`push_lower`].
pub fn lower(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_lower(&mut out, text);
    out
}

/// Appends `text` in lower case, each character by itself: a final sigma is a sigma.
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
pub fn push_lower(out: &mut String, text: &str) {
    out.extend(text.chars().flat_map(char::to_lowercase));
}

/// Appends `text` in lower case, each character by itself: a final sigma is a sigma.
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub fn push_lower(out: &mut String, text: &str) {
    if text.is_ascii() {
        out.extend(text.chars().map(|c| c.to_ascii_lowercase()));
        return;
    }
    // Of all capitals only this one looks at its neighbors.
    let alone: String = text
        .chars()
        .map(|c| if c == 'Σ' { 'σ' } else { c })
        .collect();
    out.push_str(&String::from(js_sys::JsString::from(alone).to_lower_case()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diacritics_and_width_fold_but_syllables_stay() {
        assert_eq!(normalize("Café naïve Straße"), "Cafe naive Straße");
        assert_eq!(normalize("ＡＢＣ１２３ ﬁle"), "ABC123 file");
        assert_eq!(normalize("한국어 がぎ 世界"), "한국어 がぎ 世界");
        assert!(matches!(normalize("plain"), Cow::Borrowed(_)));
    }
}
