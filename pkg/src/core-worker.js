/** The module worker of documentation sites. */

import { answer } from "./answer.js";
import { Engine } from "./core-engine.js";

answer(Engine);
