/** A module worker's script: `new Worker(…)` it, do not import it. */

export {};
