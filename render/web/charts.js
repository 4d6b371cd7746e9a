// The charts: the curve of flips over weight, and the histogram, as SVG that keys and pointers can use.

const WIDE = 420, LEFT = 30, RIGHT = 410;

function svg(name, attributes = {}, ...inner) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inner);
  return made;
}

const percent = (share) => (share > 0 && share < .005 ? "<1 %" : `${Math.round(100 * share)} %`);

/** Draw the histogram: a bar for each number of flips, which `choose` is called with; dots for one's own throws. */
function drawBars(place, histogram, own, choose) {
  const total = histogram.reduce((a, b) => a + b, 0), ends = histogram.map((count, k) => (count || own.includes(k) ? k : 0));
  const last = Math.min(Math.max(4, ...ends), histogram.length - 1), floor = 110, step = (RIGHT - LEFT) / Math.max(last + 1, 10.5);
  const most = Math.max(...histogram, 1), width = Math.min(.83 * step, 60), middle = (k) => LEFT + step * k + width / 2;
  const every = Math.ceil((last + 1) / 16), parts = [];
  for (let k = 0; k <= last; k++) {
    const count = histogram[k], high = count ? Math.max(88 * count / most, 2) : 0, x = LEFT + step * k;
    const name = `${k === 1 ? "1 puck flips" : `${k} pucks flip`}: ${count} of ${total} throws`;
    const bar = svg("g", { class: "bar", tabindex: count ? 0 : -1, role: "button", "aria-label": `${name}. Watch one` },
      svg("rect", { x, y: 10, width, height: 118, fill: "transparent" }),
      svg("rect", { x, y: floor - high, width, height: high, rx: Math.min(3, high / 2), fill: "var(--accent)" }));
    if (every === 1 || k % every === 0) bar.append(svg("text", { x: middle(k), y: 126, "text-anchor": "middle" }, k === last ? `${k} flip${k === 1 ? "" : "s"}` : String(k)));
    if (total && width > 26 && high > 22) bar.append(svg("text", { class: "on", x: middle(k), y: floor - high + 15, "text-anchor": "middle" }, percent(count / total)));
    const act = () => { if (count) choose(k); };
    bar.addEventListener("click", act);
    bar.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); act(); } });
    parts.push(bar);
  }
  const heights = new Map();
  for (const k of own.slice(-60)) {
    if (k > last) continue;
    const row = heights.get(k) || 0, high = histogram[k] ? Math.max(88 * histogram[k] / most, 2) : 0;
    heights.set(k, row + 1);
    if (row < 4) parts.push(svg("circle", { cx: middle(k), cy: Math.max(floor - high - 8 - 8 * row, 4), r: 4.5, fill: "var(--yours)", "pointer-events": "none" }));
  }
  if (own.length) {
    const k = Math.max(...own.filter((flips) => flips <= last));
    parts.push(svg("text", { x: middle(k) + 12, y: Math.max(floor - (histogram[k] ? Math.max(88 * histogram[k] / most, 2) : 0) - 4, 8) }, "yours"));
  }
  const focus = [...place.querySelectorAll(".bar")].indexOf(document.activeElement);
  place.replaceChildren(svg("svg", { viewBox: `0 0 ${WIDE} 130`, role: "group", "aria-label": "Pucks flipped in a throw" }, ...parts,
    svg("line", { x1: 24, x2: RIGHT, y1: floor, y2: floor, stroke: "var(--line)" })));
  if (focus >= 0) place.querySelectorAll(".bar")[focus]?.focus({ preventScroll: true });
}

/** Draw flips by weight: points with their errors, the band of belief, and the chosen weight, which can be dragged. */
function drawCurve(place, { points, line, band, range: [low, high], weight, choose, unit = "g" }) {
  const floor = 130, top = 24, isLog = high > 20 * low;
  const scale = (x) => (isLog ? Math.log(x / low) / Math.log(high / low) : (x - low) / (high - low));
  const at = (x) => LEFT + 5 + scale(x) * (RIGHT - LEFT - 5);
  const back = (px) => { const share = clamp((px - LEFT - 5) / (RIGHT - LEFT - 5), 0, 1); return isLog ? low * (high / low) ** share : low + share * (high - low); };
  const most = Math.max(.5, ...points.map(({ mean, half }) => mean + half), ...line.map(({ y, x }) => y * band(x)[1]));
  const up = (y) => floor - (floor - top) * y / most, parts = [], put = ({ x, y }, share = 1) => `${at(x).toFixed(1)},${up(y * share).toFixed(1)}`;
  const ticks = isLog ? [low, Math.sqrt(low * high), high] : low === 2 && high === 24 ? [2, 8, 14, 20, 24] : [0, .25, .5, .75, 1].map((share) => Math.round(low + share * (high - low)));
  if (line.length) {
    const isWide = line.some(({ x }) => band(x)[1] > band(x)[0]);
    if (isWide) {
      parts.push(svg("path", { d: `M${line.map((one) => put(one, band(one.x)[1])).join("L")}L${[...line].reverse().map((one) => put(one, band(one.x)[0])).join("L")}Z`, fill: "var(--band)" }));
      parts.push(svg("text", { x: 220, y: 12, "text-anchor": "middle" }, "shaded: where real pucks may lie"));
    }
    parts.push(svg("path", { d: `M${line.map((one) => put(one)).join("L")}`, fill: "none", stroke: "var(--accent)", "stroke-width": 2.5, "stroke-linejoin": "round" }));
  }
  for (const { x, mean, half } of points) {
    parts.push(svg("line", { x1: at(x), x2: at(x), y1: up(Math.max(mean - half, 0)), y2: up(mean + half), stroke: "var(--accent)", "stroke-opacity": .4 }));
    parts.push(svg("circle", { cx: at(x), cy: up(mean), r: 3, fill: "var(--accent)" }));
  }
  const near = [...line].sort((a, b) => Math.abs(a.x - weight) - Math.abs(b.x - weight))[0], own = points.find(({ x }) => x === weight);
  const x = at(clamp(weight, low, high)), y = up(near ? near.y : own ? own.mean : 0);
  ticks.forEach((tick, k) => parts.push(svg("text", { x: at(tick), y: 146, "text-anchor": "middle" }, `${general(tick, 3)}${k === 0 || k === ticks.length - 1 ? ` ${unit}` : ""}`)));
  const unitOf = most > 4 ? 2 : most > 1.8 ? 1 : .5;
  for (let tick = unitOf; tick < most; tick += unitOf) parts.push(svg("text", { x: 0, y: up(tick) + 4 }, general(tick, 2).replace(/^0/, "")));
  const handle = svg("circle", { cx: x, cy: y, r: 8, fill: "var(--yours)", stroke: "var(--card)", "stroke-width": 2.5, class: "handle", tabindex: 0,
    role: "slider", "aria-label": "Weight of the slammer", "aria-valuemin": low, "aria-valuemax": high, "aria-valuenow": weight, "aria-valuetext": `${general(weight)} ${unit}` });
  parts.push(svg("line", { x1: x, x2: x, y1: 18, y2: floor, stroke: "var(--yours)", "stroke-dasharray": "3 3" }), handle);
  const drawing = svg("svg", { viewBox: `0 0 ${WIDE} 150`, role: "group", "aria-label": "Flips by slammer weight" }, ...parts,
    svg("line", { x1: LEFT, x2: RIGHT, y1: floor, y2: floor, stroke: "var(--line)" }));
  const had = place.querySelector(".handle") === document.activeElement;
  place.replaceChildren(drawing);
  if (had) handle.focus({ preventScroll: true });
  handle.addEventListener("keydown", ({ key }) => {
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 4, PageDown: -4 };
    if (steps[key]) choose(clamp(Math.round(weight + steps[key]), low, high), true);
  });
  place.onpointerdown = (event) => {
    const whole = (own) => clamp(Math.round(back((own.clientX - place.getBoundingClientRect().left) * WIDE / place.clientWidth)), Math.ceil(low), Math.floor(high));
    place.setPointerCapture(event.pointerId);
    event.preventDefault();
    choose(whole(event), false);
    place.onpointermove = (own) => choose(whole(own), false);
    place.onpointerup = place.onpointercancel = (own) => { place.onpointermove = place.onpointerup = null; choose(whole(own), true); };
  };
}
