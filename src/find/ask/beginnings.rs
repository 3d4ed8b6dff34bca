//! First letters of a question's words: most pieces of a text are passed over by them before they are cut into words.

use super::words::Slot;
use crate::text::{hiragana, is_settled, is_unspaced, quick};

/// Words lighter than this share of the heaviest do not make a line worth reading.
const LIGHT: f32 = 0.1;

/// The beginnings of the words that count and of their alternatives.
#[derive(Default)]
pub struct Beginnings {
    /// The first letters of each; forms of one stem share theirs.
    letters: Vec<u32>,
    /// The low five bits of the bytes that they begin with, a bit each.
    first: u32,
    /// The first two letters of each, `'\0'` for none, for texts beyond ASCII.
    pairs: Vec<[char; 2]>,
}

impl Beginnings {
    /// Those of the slots that weigh enough.
    pub fn of(slots: &[Slot]) -> Self {
        let slots = || slots.iter().filter(|slot| !slot.is_name());
        let heaviest = slots().map(Slot::importance).fold(0.0, f32::max);
        let mut all = Self::default();
        // A line with nothing but words that are everywhere is no excerpt.
        for slot in slots().filter(|s| s.importance() >= heaviest * LIGHT) {
            all.add(&slot.term);
            slot.alternatives.iter().for_each(|a| all.add(&a.surface));
        }
        all
    }

    fn add(&mut self, word: &str) {
        let start = beginning(word.as_bytes());
        self.first |= 1 << (start >> 16 & 0x1f);
        if !self.letters.contains(&start) {
            self.letters.push(start);
        }
        let pair = pair_of(word);
        if pair[1] == '\0' || !self.has_pair(pair) {
            self.pairs.push(pair);
        }
    }

    /// True if a word with the letters of `term` may be one of these.
    pub fn has(&self, term: &str) -> bool {
        match term.is_ascii() {
            true => self.letters.contains(&beginning(term.as_bytes())),
            false => self.has_pair(pair_of(term)),
        }
    }

    /// True if one begins with these letters; a second that is unknown may be any.
    fn has_pair(&self, [first, second]: [char; 2]) -> bool {
        let begins =
            |&[a, b]: &[char; 2]| a == first && (b == '\0' || second == '\0' || b == second);
        self.pairs.iter().any(begins)
    }

    /// True if a text may hold one of the words; false only when none of its words begins as one. O(bytes).
    pub fn may_be_in(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        (0..bytes.len()).any(|i| match bytes[i] {
            // Most letters begin none of the words. One with an accent among the first three is told by its word.
            byte @ 0..0x80 => {
                self.first >> (byte & 0x1f) & 1 > 0
                    && begins_word(bytes, i)
                    && (self.letters.contains(&beginning(&bytes[i..]))
                        || !bytes[i..].iter().take(3).all(u8::is_ascii))
            }
            // Not the first byte of a letter.
            0x80..0xc0 => false,
            // Arabic writes "and", "with" and "the" as the beginning of a word, which its stem does not have.
            0xd8..0xdc => true,
            _ => self.may_begin_at(text, i),
        })
    }

    /// [`Beginnings::may_be_in`] for a letter beyond ASCII.
    fn may_begin_at(&self, text: &str, at: usize) -> bool {
        let (before, rest) = text.split_at(at);
        let mut chars = rest.chars();
        let Some(c) = chars.next() else {
            return false;
        };
        let letter = match letter(c) {
            // A mark stands within a word.
            Some('\0') => return false,
            Some(letter) => letter,
            None => return !is_punctuation(c),
        };
        // Within a word its pieces begin with a capital; a letter of a script without spaces begins a pair.
        let was = before.chars().next_back().and_then(quick);
        let goes_on = was.is_some_and(|was| was != '\0' && !was.is_ascii_digit());
        if goes_on && letter == c && !is_unspaced(c) {
            return false;
        }
        self.has_pair([letter, chars.next().and_then(self::letter).unwrap_or('\0')])
    }
}

/// The first two letters of a folded word.
fn pair_of(word: &str) -> [char; 2] {
    let mut chars = word.chars().map(hiragana);
    [(); 2].map(|()| chars.next().unwrap_or('\0'))
}

/// The letter that a character is folded to, where it takes no tables.
fn letter(c: char) -> Option<char> {
    match is_unspaced(c) {
        true => is_settled(c).then(|| hiragana(c)),
        false => quick(c),
    }
}

/// True if a word, or a piece of an identifier, may begin at `at`.
fn begins_word(bytes: &[u8], at: usize) -> bool {
    let before = *bytes.get(at.wrapping_sub(1)).unwrap_or(&b' ');
    !before.is_ascii_alphanumeric()
        || before.is_ascii_digit() != bytes[at].is_ascii_digit()
        || bytes[at].is_ascii_uppercase()
}

/// True for a byte of a word.
pub fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

/// True for signs between words that texts beyond ASCII are full of.
fn is_punctuation(c: char) -> bool {
    matches!(c, '\u{a0}' | '«' | '»' | '\u{2010}'..='\u{2027}' | '\u{3000}'..='\u{3002}' | '\u{3008}'..='\u{3011}' | '\u{ff01}'..='\u{ff0f}')
}

/// The first three letters or digits in lower case, 0 for those that the word lacks. Beyond ASCII the
/// first three bytes of a folded word, which are a letter or one and a half.
fn beginning(bytes: &[u8]) -> u32 {
    let letters = bytes.iter().take(3).take_while(|&&byte| is_letter(byte));
    let key = |key, (at, byte): (usize, &u8)| key | u32::from(byte | 0x20) << (16 - 8 * at);
    letters.enumerate().fold(0, key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokenize;

    const TEXTS: [&str; 12] = [
        "The harbour's CreateFileW opens at 6.30, naïve café l'été",
        "Çeşme ÉCOLE ﬁnds straße œuvre Łódź Ørsted ưu Ứng dụng",
        "Прилив приходит ночью, ещё раз: «Лодка» МореГавань об’єкт ё",
        "Η θάλασσα, Ώρα της άμπωτης",
        "サーバの設定、ﾃﾞｰﾀベース。がぎ「バックアップ」APIキーを作成します",
        "港口的潮汐表，API接口 ２０２４年。第一章",
        "props를 설정합니다. 컴포넌트의 데이터",
        "การตั้งค่าเซิร์ฟเวอร์ น้ำขึ้น",
        "والبيانات في المرفأ، بالشبكة",
        "הנמל נפתח בשעה שש",
        "ज्वार-भाटा आता है क्षेत्र",
        "កំពង់ផែ ຄື້ນ ဆိပ်ကမ်း",
    ];

    fn of_word(word: &str) -> Beginnings {
        let mut words = Beginnings::default();
        words.add(word);
        words
    }

    #[test]
    fn no_word_of_a_text_is_passed_over() {
        for text in TEXTS {
            tokenize(text, |token| {
                let words = of_word(&token.term);
                let (from, to) = (token.span.0 as usize, token.span.1 as usize);
                assert!(words.has(&token.term), "{text}: {}", token.term);
                assert!(words.may_be_in(text), "{text}: {}", token.term);
                // The first letter may come with what is written to the word before it.
                assert!(words.may_be_in(&text[from..to]), "{text}: {}", token.term);
            });
        }
    }

    #[test]
    fn texts_without_the_beginning_are_passed_over() {
        for (word, text) in [
            ("boat", "a table of tides"),
            ("гавань", "Прилив приходит ночью — «лодка»"),
            ("гавань", "могавань"),
            ("潮汐", "港口的时间表，潮水。"),
            ("さば", "すばらしいサービス、"),
            ("설정", "컴포넌트의 데이터"),
        ] {
            let words = of_word(word);
            assert!(!words.may_be_in(text), "{word} in {text}");
        }
        for (word, text) in [
            ("гавань", "МореГавань"),
            ("潮汐", "API潮汐表"),
            ("さば", "サバ"),
        ] {
            let words = of_word(word);
            assert!(words.may_be_in(text), "{word} in {text}");
        }
    }
}
