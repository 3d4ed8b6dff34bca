import { draw, SOURCES } from "./charts.mjs";

export default { watch: SOURCES, load: draw };
