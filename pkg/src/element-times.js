/** How long `<knarr-search>` waits before it does something. */

/**
 * Milliseconds from the last keystroke to the search of the whole question: below what is felt; and above the pause
 * between two letters while answers still wait for downloads, most of which would be for words that nobody meant.
 */
export const DEBOUNCE_MS = 60;
export const COLD_DEBOUNCE_MS = 180;

/** Milliseconds from the last keystroke to the texts of the rows: above the pauses of a slow typist. */
export const REST_MS = 300;

/** Milliseconds from the rows of one beginning to the next: faster ones help nobody, and each costs about 50 kB. */
export const GLIMPSE_MS = 900;

/** Milliseconds before grey rows appear (a faster answer shows no flicker), before words, and before a way out. */
export const WAITS_MS = [120, 8_000, 25_000];

/** Milliseconds before a count is announced: a screen reader should hear the last one, not each. */
export const ANNOUNCE_MS = 500;

/** Milliseconds that rows stay after a finger was lifted from them: the click comes behind it, and a stroke goes on. */
export const LIFTED_MS = 300;

/** The longest that a finger on the rows holds up new ones: it is told of nowhere that one left the screen. */
export const LONGEST_PRESS_MS = 3_000;

/** Milliseconds after new rows in which a finger still means the ones of before: it was on its way to them. */
export const REACTION_MS = 350;

/** Milliseconds after the dialog was opened in which nothing closes it: who taps its button twice taps what came there. */
export const SECOND_TAP_MS = 500;
