/** The module worker with everything. */

import { answer } from "./answer.js";
import { Engine } from "./full-engine.js";

answer(Engine);
