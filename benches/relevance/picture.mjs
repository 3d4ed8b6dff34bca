/** The picture of `curve.mjs`: quality over bytes, as an SVG that is readable on light and dark pages. */

const [WIDTH, HEIGHT] = [720, 400];
const PLOT = { left: 64, right: 690, top: 34, bottom: 344 };

/** Draws points `{ name, kb, ndcg, isJoined }` of Knarr, and those of `peers`. */
export function draw(points, peers) {
  const all = [...points, ...peers];
  const [x, xTicks] = scale(all.map(({ kb }) => kb), PLOT.left, PLOT.right, 25);
  const [y, yTicks] = scale(all.map(({ ndcg }) => ndcg), PLOT.bottom, PLOT.top, 0.05);
  const line = points.filter(({ isJoined }) => isJoined).map(({ kb, ndcg }) => `${x(kb)} ${y(ndcg)}`).join("L");
  const dot = ({ name, kb, ndcg, place = "right" }, kind) => {
    const [dx, dy, anchor] = { right: [9, 4, "start"], left: [-9, 4, "end"], above: [0, -10, "middle"], below: [0, 18, "middle"] }[place];
    return `<circle cx="${x(kb)}" cy="${y(ndcg)}" r="4.5" class="${kind}"/>\n  <text x="${round(x(kb) + dx)}" y="${round(y(ndcg) + dy)}" text-anchor="${anchor}">${name}</text>`;
  };
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="nDCG@10 over kilobytes of a first query">
  <style>
    text { font: 12px system-ui, sans-serif; fill: #57606a }
    .axis { stroke: #8c959f }
    .grid { stroke: #8c959f; opacity: .25 }
    .curve { fill: none; stroke: #0f7b6c; stroke-width: 2 }
    .own { fill: #0f7b6c }
    .other { fill: none; stroke: #0f7b6c; stroke-width: 2 }
    .peer { fill: #b4530a }
    @media (prefers-color-scheme: dark) {
      text { fill: #9ba5b0 }
      .curve, .other { stroke: #35c2ab }
      .own { fill: #35c2ab }
      .peer { fill: #f0914a }
    }
  </style>
  ${yTicks.map((value) => `<path d="M${PLOT.left} ${y(value)}H${PLOT.right}" class="grid"/>\n  <text x="${PLOT.left - 8}" y="${round(y(value) + 4)}" text-anchor="end">${value.toFixed(2).replace(/^0/, "")}</text>`).join("\n  ")}
  <path d="M${PLOT.left} ${PLOT.bottom}H${PLOT.right}" class="axis"/>
  ${xTicks.map((value) => `<text x="${x(value)}" y="${PLOT.bottom + 18}" text-anchor="middle">${value}</text>`).join("\n  ")}
  <text x="${(PLOT.left + PLOT.right) / 2}" y="${PLOT.bottom + 42}" text-anchor="middle">kB of a first query at the median, without scripts and module</text>
  <text x="${PLOT.left - 40}" y="18">nDCG@10, mean of the sets</text>
  <path d="M${line}" class="curve"/>
  ${points.map((point) => dot(point, point.isJoined ? "own" : "other")).join("\n  ")}
  ${peers.map((peer) => dot(peer, "peer")).join("\n  ")}
</svg>
`;
}

/** A linear scale over values, from and to a multiple of `step`, and its ticks. */
function scale(values, from, to, step) {
  const [low, high] = [Math.floor(Math.min(...values) / step), Math.ceil(Math.max(...values) / step)];
  const ticks = Array.from({ length: high - low + 1 }, (_, at) => Number(((low + at) * step).toFixed(2)));
  return [(value) => round(from + ((value / step - low) / (high - low)) * (to - from)), ticks];
}

function round(value) {
  return Math.round(value * 10) / 10;
}
