/** Words of a text for peers that leave the cutting to their user, and words without a subject. */

/** Words that say nothing of a subject. */
export const FUNCTION_WORDS = new Set(`a about above after again all almost along already also although always am among an and
another any anybody anyone anything are around as at away be became because become been before being between both but by
can cannot could did do does doing done down during each either else ever every for from further get gets getting got had
has have having he hence her here him his how however i if in instead into is it its itself just least less let like made
make makes making many may me might more most much must my myself need needs neither never no nobody none nor not nothing
of off often on once one ones only onto or other others otherwise our out over own per perhaps quite rather same shall she
should since so some somebody someone something somewhere still such than that the their them themselves then there
therefore these they thing things this those though through thus to together too toward under until up upon us very via
was way we were what whatever when whenever where wherever whether which while who whom whose why will with within without
would yet you your yourself`.split(/\s+/));

const SPACELESS = new Set(["zh", "ja", "ko"]);

/** Whether a language is written without spaces between all words, so that a peer's own cutting at spaces finds none. */
export function needsSegmenter(language) {
  return SPACELESS.has(language);
}

/** A function from a text to its words, by the segmenter that browsers have too. */
export function segmenter(language) {
  const cutter = new Intl.Segmenter(language, { granularity: "word" });
  return (text) => Array.from(cutter.segment(text)).filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

/** The first of each document's hits: `hits` are ids of sections `document#number`, best first. */
export function collapse(hits, limit) {
  return [...new Set(hits.map((hit) => hit.slice(0, hit.lastIndexOf("#"))))].slice(0, limit);
}
