//! Spelling that should not matter: width, compatibility forms, diacritics, and letters that are typed in two ways.
//!
//! NFKD, marks of Latin, Greek, Cyrillic, Hebrew and Arabic dropped, NFC. Recomposing keeps Hangul syllables and kana whole.
//! In the browser the tables are the browser's own (`String.prototype.normalize`): they cost no bytes.

use std::borrow::Cow;

/// Normalizes `text`; ASCII is returned as it is. Case is untouched.
pub fn normalize(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_settled) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(fold(text))
}

/// True for most letters of scripts without spaces, which stay as they are whatever of them stands beside. In the browser
/// each step of normalizing is a call of its own, and there they came for every pair of letters of a page.
pub fn is_settled(c: char) -> bool {
    matches!(c,
        '\0'..='\x7f' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{e01}'..='\u{e32}' | '\u{e34}'..='\u{e37}'
        | '\u{e40}'..='\u{e4b}')
}

/// The letters that those from U+00C0 are folded to, where it is one: most marks of Europe.
const LATIN: &[u8; 192] = b"aaaaaa ceeeeiiiidnooooo ouuuuy  aaaaaa ceeeeiiiidnooooo ouuuuy y\
aaaaaaccccccccddddeeeeeeeeeegggggggghh  iiiiiiiiii  jjkk llllllllllnnnnnnn  oooooo  rrrrrrsssssssstttt  uuuuuuuuuuuu\
wwyyyzzzzzzs";

/// The letter that folding and lower case make of a character of a word, without tables and calls to the browser; `'\0'`
/// for nothing, and `None` where it takes them. Each is told by itself: no two of these letters make a third.
pub fn quick(c: char) -> Option<char> {
    let by = |distance: u32| char::from_u32(c as u32 + distance).unwrap_or(c);
    Some(match c {
        'a'..='z' | '0'..='9' => c,
        'A'..='Z' => c.to_ascii_lowercase(),
        '\u{c0}'..='\u{17f}' => match LATIN[c as usize - 0xc0] {
            b' ' => return None,
            letter => char::from(letter),
        },
        'й' | 'Й' => 'и',
        'ё' => 'е',
        'ї' => 'і',
        'ў' => 'у',
        'А'..='Я' | 'Α'..='Ρ' | 'Σ'..='Ω' => by(0x20),
        'Є' | 'І' => by(0x50),
        'ά' => 'α',
        'έ' => 'ε',
        'ή' => 'η',
        'ί' => 'ι',
        'ό' => 'ο',
        'ύ' => 'υ',
        'ώ' => 'ω',
        'ς' => 'σ',
        'آ' | 'أ' | 'إ' => 'ا',
        'ة' => 'ه',
        'ى' | 'ی' => 'ي',
        'ک' => 'ك',
        'а'..='я' | 'є'..='і' | 'ј'..='ћ' | 'α'..='ω' | 'א'..='ת' => c,
        'ا' | 'ب' | 'ت'..='غ' | 'ف'..='و' | 'ي' | 'پ' | 'چ' | 'ژ' | 'گ' => c,
        '\u{904}'..='\u{928}'
        | '\u{92a}'..='\u{930}'
        | '\u{932}'
        | '\u{933}'
        | '\u{935}'..='\u{939}' => c,
        '\u{93e}'..='\u{94c}' => c,
        '\'' | '’' | '\u{94d}' => '\0',
        _ if is_mark(c) => '\0',
        '\u{1ea0}'..='\u{1eb7}' => 'a',
        '\u{1eb8}'..='\u{1ec7}' => 'e',
        '\u{1ec8}'..='\u{1ecb}' => 'i',
        'ơ' | 'Ơ' | '\u{1ecc}'..='\u{1ee3}' => 'o',
        'ư' | 'Ư' | '\u{1ee4}'..='\u{1ef1}' => 'u',
        _ => return None,
    })
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

    #[test]
    fn settled_letters_are_those_that_no_neighbor_changes() {
        let every = (0..=0x10_ffff).filter_map(char::from_u32);
        let settled: Vec<char> = every.filter(|&c| is_settled(c)).collect();
        let mut seed = 1_u64;
        for &c in &settled {
            let mut text = String::from(c);
            for _ in 0..5 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                text.push(settled[(seed >> 33) as usize % settled.len()]);
            }
            assert_eq!(fold(&text), text);
        }
    }
}
