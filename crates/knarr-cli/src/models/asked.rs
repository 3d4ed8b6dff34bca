//! Questions to a chat model, answered from the cache where they were asked before.

use super::Tally;
use super::cache::Cache;
use super::chat::{Chat, Question};
use super::queue::Queue;
use crate::build::progress::Progress;
use crate::failure::{Failure, Outcome};

/// A question whose answer means something.
pub trait Asked {
    /// The meaning.
    type Answer;

    /// The request's two messages.
    fn question(&self) -> &Question;

    /// Reads an answer's text. Errors: why it means nothing; it is then asked for again.
    fn read(&self, text: &str) -> Result<Self::Answer, String>;

    /// The answer that is known, if any.
    fn known(&self, chat: &Chat, cache: &Cache) -> Option<Self::Answer> {
        let text = std::str::from_utf8(cache.get(&chat.key(self.question()))?).ok()?;
        self.read(text).ok()
    }
}

/// A chat model at work.
pub struct Asker<'a> {
    pub chat: &'a Chat,
    pub cache: &'a mut Cache,
    pub queue: &'a Queue,
    pub progress: &'a mut Progress,
    pub tally: Tally,
}

impl Asker<'_> {
    /// The answers in the order of the questions; those that are not cached are asked for side by side. A question that
    /// fails has none and is counted under its `name`. `doing` is what the progress shows.
    pub fn answers<A: Asked + Sync>(
        &mut self,
        doing: &'static str,
        asked: &[A],
        name: impl Fn(&A) -> String,
    ) -> Outcome<Vec<Option<A::Answer>>> {
        let (chat, queue) = (self.chat, self.queue);
        let (mut answers, mut open) = (Vec::with_capacity(asked.len()), Vec::new());
        for one in asked {
            let known = one.known(chat, self.cache);
            match known {
                Some(_) => self.tally.cached(),
                None => open.push(answers.len()),
            }
            answers.push(known);
        }
        if !open.is_empty() {
            self.progress.begin(doing, open.len() as u64);
        }
        let ask = |&at: &usize| {
            let one = &asked[at];
            chat.ask(queue, one.question(), |text| one.read(text).map(|_| ()))
        };
        queue.run(&open, ask, |position, answer| {
            let at = open[position];
            self.progress.advance(1);
            match answer {
                Ok(text) => {
                    answers[at] = asked[at].read(&text).ok();
                    let key = chat.key(asked[at].question());
                    self.cache.put(key, text.into_bytes())?;
                    self.tally.made();
                }
                Err(refusal) => self.tally.failed(name(&asked[at]), refusal.reason),
            }
            Ok::<(), Failure>(())
        })?;
        Ok(answers)
    }
}
