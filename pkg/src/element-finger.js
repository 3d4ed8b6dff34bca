/** Whose row a finger meant: rows come while it is on its way, and those that it was sent to are gone when it arrives. */

import { sleep } from "./element-page.js";
import { leaveField } from "./element-shell.js";
import { LIFTED_MS, LONGEST_PRESS_MS, REACTION_MS } from "./element-times.js";

const optionAt = ({ target }) => target.closest?.("[role=option]");

/** What is to be known of the fingers and pointers on a list of rows. */
export function fingerOn({ list, input, panel }) {
  let heldUntil = 0;
  let isNewUntil = 0;
  /** The rows that the last ones took the place of, with the places they had. */
  let before = [];
  let pressed;

  const hold = (ms) => (heldUntil = performance.now() + ms);
  list.addEventListener("pointerdown", (event) => {
    hold(LONGEST_PRESS_MS);
    const isLate = event.pointerType !== "mouse" && performance.now() < isNewUntil;
    pressed = (isLate && before.find(([, { top, bottom }]) => event.clientY >= top && event.clientY < bottom)?.[0]) || optionAt(event);
  });
  // A finger that scrolls is no pointer any more, and still there.
  for (const type of ["pointerup", "touchend"]) list.addEventListener(type, () => hold(LIFTED_MS));

  // Who scrolls wants to see: the keyboard covers half of the rows.
  list.addEventListener("touchmove", () => input.matches(":focus") && leaveField(panel), { passive: true });

  return {
    /** What is promised, as soon as it may take the place of rows: not below a finger, and not while its stroke goes on. */
    async lifted(promised) {
      const value = await promised;
      while (performance.now() < heldUntil) await sleep(30);
      return value;
    },
    /** To be called before rows are replaced. */
    remember(rows) {
      before = rows.map((row) => [row, row.getBoundingClientRect()]);
      isNewUntil = performance.now() + REACTION_MS;
    },
    /** The row that a click meant. What no pointer did means what it is at. */
    meant(event) {
      const [row, aimed] = [optionAt(event), pressed];
      pressed = undefined;
      return row && event.detail > 0 ? (aimed ?? row) : row;
    },
  };
}
