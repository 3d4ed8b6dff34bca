//! Words that carry no topic. Removing them must never empty a query: the original is kept then.
//!
//! Only the keyword leg reads the stripped text; the embedding always sees the unchanged query. The lists are our own
//! selection of function words. Source of the rule: spec onyx §5.

/// English function words, folded, straight apostrophes.
const ENGLISH: &str = "a about above across after again against ain't all along already also although always am among \
an and another any anybody anyone anything are aren't around as at away back be because been before behind being below \
beside besides between beyond both but by came can can't cannot come could couldn't did didn't do does doesn't doing \
don't done down during each either else enough etc even ever every everyone everything except few for from further \
get gets getting give given go goes going got had hadn't has hasn't have haven't having he he'd he'll he's hence her \
here here's hers herself him himself his how how's however i i'd i'll i'm i've if in instead into is isn't it it'd \
it'll it's its itself just kind let let's like made make makes many may maybe me might mine more most much must mustn't \
my myself neither never no nobody none nor not nothing now of off often on once one only onto or other others otherwise \
ought our ours ourselves out over own per perhaps please put quite rather really same say says see seem seems shall \
shan't she she'd she'll she's should shouldn't since so some somehow someone something still such take tell than that \
that's the their theirs them themselves then there there's therefore these they they'd they'll they're they've thing \
this those though through thus to together too toward towards under unless until up upon us use used using very via \
want wants was wasn't way we we'd we'll we're we've well went were weren't what what's whatever when when's where \
where's whether which while who who's whoever whom whose why why's will with within without won't would wouldn't yes \
yet you you'd you'll you're you've your yours yourself yourselves";

/// Chinese, Japanese and Korean function words of two characters and more: safe to cut out of unspaced text.
const CJK: &str = "什么时候 为什么 什么样 怎么样 是什么 有没有 能不能 可不可以 是不是 什么 怎么 怎样 如何 为何 何时 \
哪里 哪儿 哪个 哪些 多少 几个 是否 可以 请问 我们 你们 他们 她们 它们 咱们 自己 这个 那个 这些 那些 这里 那里 这样 那样 \
因为 所以 但是 而且 并且 或者 如果 虽然 然后 还是 就是 不是 没有 关于 对于 以及 的话 一下 一个 \
について とは ですか ですか ますか でしょうか ください という として による ための どうやって どのように なぜ どこ いつ \
です ます から まで より など \
그리고 그러나 하지만 어떻게 무엇 무엇을 무엇이 언제 어디 어디서 누구 누가 왜 그래서 또는 대한 대해 위한 \
있는 하는 방법은 입니까 인가요 습니까";

/// True for a folded function word; curly apostrophes count as straight ones.
pub fn is_stop_word(word: &str) -> bool {
    if word.contains('\u{2019}') {
        listed(&word.replace('\u{2019}', "'"))
    } else {
        listed(word)
    }
}

fn words() -> impl Iterator<Item = &'static str> {
    ENGLISH.split(' ').chain(CJK.split(' '))
}

#[cfg(not(feature = "index"))]
fn listed(word: &str) -> bool {
    words().any(|listed| listed == word)
}

/// A build asks of every word of a site; hashing the list would cost a page more bytes than it saves.
#[cfg(feature = "index")]
fn listed(word: &str) -> bool {
    use std::collections::HashSet;
    use std::sync::LazyLock;
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| words().collect());
    WORDS.contains(word)
}

/// True for a character of a script without spaces between words (Korean counts for its syllables).
pub fn is_cjk(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{3040}'..='\u{30ff}' | '\u{ac00}'..='\u{d7af}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_english_list_is_sorted_and_without_duplicates() {
        let words: Vec<&str> = ENGLISH.split(' ').collect();
        assert!(
            words.windows(2).all(|pair| pair[0] < pair[1]),
            "{:?}",
            words.windows(2).find(|p| p[0] >= p[1])
        );
        assert!(words.len() > 200);
    }
}
