/** The picture of `curve.mjs`: quality over bytes, as an SVG that is readable on light and dark pages. */

const [WIDTH, HEIGHT] = [760, 380];
const [TOP, BOTTOM] = [50, 316];

/** Draws points `{ name, kb, ndcg, isJoined, place }` of Knarr: beside those of `peers`, and from near. `place` is where its name stands. */
export function draw(points, peers) {
  const whole = peers.length === 0 ? "" : panel([...points.map((point) => ({ ...point, name: "" })), ...peers.map((peer) => ({ ...peer, kind: "peer", place: "above" })), { ...best(points), name: "Knarr", kind: "none", place: "below" }], [58, 268], [50, 0.1], [0, 0.4]);
  const near = panel(points, [peers.length === 0 ? 58 : 350, 740], [20, 0.002], []);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="nDCG@10 over kilobytes of a first query">
  <style>
    text { font: 12px system-ui, sans-serif; fill: #57606a }
    .axis { stroke: #8c959f }
    .grid { stroke: #8c959f; opacity: .25 }
    .curve { fill: none; stroke: #0f7b6c; stroke-width: 2 }
    .own { fill: #0f7b6c }
    .other { fill: none; stroke: #0f7b6c; stroke-width: 2 }
    .peer { fill: #b4530a }
    .none { fill: none }
    @media (prefers-color-scheme: dark) {
      text { fill: #9ba5b0 }
      .curve, .other { stroke: #35c2ab }
      .own { fill: #35c2ab }
      .peer { fill: #f0914a }
    }
  </style>
  <text x="14" y="22">nDCG@10, mean of the sets, over kB of a first query at the median, without scripts and module</text>
  ${[whole, near].filter(Boolean).join("\n  ")}
</svg>
`;
}

/** A plot between two places from left to right, with ticks at multiples of `steps`; its axes hold the points, and `start` where it is given. */
function panel(points, [left, right], [stepX, stepY], start) {
  const [x, xTicks] = scale([...points.map(({ kb }) => kb), ...start.slice(0, 1)], left, right, stepX);
  const [y, yTicks] = scale([...points.map(({ ndcg }) => ndcg), ...start.slice(1)], BOTTOM, TOP, stepY);
  const digits = stepY < 0.01 ? 3 : 2;
  const line = points.filter(({ isJoined }) => isJoined).map(({ kb, ndcg }) => `${x(kb)} ${y(ndcg)}`).join("L");
  const dot = ({ name, kb, ndcg, isJoined, kind = isJoined ? "own" : "other", place = "right" }) => {
    const [dx, dy, anchor] = { right: [9, 4, "start"], left: [-9, 4, "end"], above: [0, -10, "middle"], below: [0, 20, "middle"] }[place];
    const label = name && `\n  <text x="${round(x(kb) + dx)}" y="${round(y(ndcg) + dy)}" text-anchor="${anchor}">${name}</text>`;
    return `<circle cx="${x(kb)}" cy="${y(ndcg)}" r="4" class="${kind}"/>${label}`;
  };
  return [
    ...yTicks.map((value) => `<path d="M${left} ${y(value)}H${right}" class="grid"/>\n  <text x="${left - 8}" y="${round(y(value) + 4)}" text-anchor="end">${value.toFixed(digits).replace(/^0/, "")}</text>`),
    `<path d="M${left} ${BOTTOM}H${right}" class="axis"/>`,
    ...xTicks.map((value) => `<text x="${x(value)}" y="${BOTTOM + 18}" text-anchor="middle">${value}</text>`),
    `<path d="M${line}" class="curve"/>`, ...points.map(dot),
  ].join("\n  ");
}

/** A linear scale over values, from and to a multiple of `step`, and its ticks. */
function scale(values, from, to, step) {
  const [low, high] = [Math.floor(Math.min(...values) / step), Math.ceil(Math.max(...values) / step)];
  const ticks = Array.from({ length: high - low + 1 }, (_, at) => Number(((low + at) * step).toFixed(3)));
  return [(value) => round(from + ((value / step - low) / (high - low)) * (to - from)), ticks];
}

function best(points) {
  return points.reduce((most, point) => (point.ndcg > most.ndcg ? point : most));
}

function round(value) {
  return Math.round(value * 10) / 10;
}
