// Boards to step through and puzzles to solve. All that moves change stands in the page as JSON;
// places are in spaces, x eastward and y southward. A piece is found by the place it stands on.

const { items, inks, grades, version } = facts;
const ARROWS = ["arrowup", "arrowright", "arrowdown", "arrowleft"];
const STEPS = [[0, -1], [1, 0], [0, 1], [-1, 0]];
const PAUSE_MS = 700, VANISH_MS = 350;

Object.assign(state, {
  item: 0, node: 0, chosen: null, grade: 0, wrong: 0, hints: 0, solved: {}, busy: 0,
  past: [], away: false, streak: 0,
});
let pieces = [], mats = [], shown = null;
const item = () => items[state.item];
const isPuzzle = () => Boolean(item().nodes);

function make(tag, attributes, parent) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  parent.append(element);
  return element;
}
const at = (x, y, quarters = 0) => `translate(${x}px,${y}px) rotate(${90 * quarters}deg)`;
const same = (x, y, a, b) => Math.abs(x - a) < .01 && Math.abs(y - b) < .01;
const pieceAt = (x, y) => pieces.find((piece) => same(x, y, piece.x, piece.y));

function addPiece(code, x, y) {
  const element = make("use", { href: `#pb-${code}` }, $("pieces"));
  element.style.transform = at(x, y);
  pieces.push({ code, x, y, element });
}

function removePiece(piece) {
  pieces = pieces.filter((other) => other !== piece);
  return piece.element;
}

function setNames(names) {
  $("names").replaceChildren();
  for (const [name, x, y] of names) {
    make("text", { x, y, "font-size": .42, fill: inks.faint }, $("names")).textContent = name;
  }
}

// The start of an item: its mats and the pieces given, by default those of its first position.
function drawStart(those = item().pieces) {
  const { view, names } = item();
  $("board").setAttribute("viewBox", view.join(" "));
  for (const id of ["mats", "pieces", "trails", "marks"]) $(id).replaceChildren();
  setNames(names);
  mats = item().mats.map(([label, size, x, y, quarters]) => {
    const shape = make("use", { href: `#pb-${label}` }, $("mats"));
    const words = make("text", { "font-size": .3, fill: inks.start }, $("mats"));
    const mat = { shape, words, size, quarters };
    setMat(mat, label, x, y, quarters);
    return mat;
  });
  pieces = [];
  for (const [code, x, y] of those) addPiece(code, x, y);
}

function setMat(mat, label, x, y, quarters) {
  // The short way around: by -1, 0, 1 or 2 quarter turns.
  mat.quarters += ((quarters - mat.quarters + 1) % 4 + 4) % 4 - 1;
  [mat.label, mat.x, mat.y] = [label, x, y];
  mat.shape.setAttribute("href", `#pb-${label}`);
  mat.words.textContent = label;
  mat.shape.style.transform = at(x, y, mat.quarters);
  mat.words.style.transform = at(x - mat.size / 2 + .3, y - mat.size / 2 + .25);
}

function slide(element, before, begin, end, last) {
  const after = element.style.transform;
  if (before === after || reduced.matches) return 0;
  const duration = 1000 * (end - begin);
  element.animate([{ transform: before }, { transform: after }],
    { delay: 1000 * begin, duration, fill: "backwards", easing: last ? "ease-in-out" : "linear" });
  return 1000 * end;
}

// Makes a move; returns its time in ms.
function change({ moves, gone = [], come = [], mats: turned = [], names }, moving) {
  let time = 0;
  $("trails").replaceChildren();
  for (const [x, y] of gone) removePiece(pieceAt(x, y)).remove();
  const movers = moves.map(([x, y]) => pieceAt(x, y));
  moves.forEach(([x, y, a, b, scored, begin, end], k) => {
    const { element } = movers[k], before = element.style.transform;
    [movers[k].x, movers[k].y] = [a, b];
    element.style.transform = at(a, b);
    if (moving) time = Math.max(time, slide(element, before, begin, end, turned.length));
    if (scored) {
      removePiece(movers[k]);
      if (!moving || reduced.matches) element.remove();
      else {
        element.animate([{ opacity: 1 }, { opacity: 0 }],
          { delay: 1000 * end, duration: VANISH_MS, fill: "both" }).onfinish = () => element.remove();
        time += VANISH_MS;
      }
    }
    if (turned.length) return;
    make("path", { d: `M${x} ${y}L${a} ${b}`, stroke: inks.trail, "stroke-width": .07,
      "stroke-linecap": "round" }, $("trails"));
    make("circle", { cx: x, cy: y, r: .13, fill: inks.trail }, $("trails"));
  });
  for (const [number, label, x, y, quarters] of turned) {
    const mat = mats[number], before = mat.shape.style.transform;
    setMat(mat, label, x, y, quarters);
    if (moving) time = Math.max(time, slide(mat.shape, before, 0, .8, true));
    const half = mat.size / 2;
    make("rect", { x: x - half, y: y - half, width: mat.size, height: mat.size, fill: "none",
      stroke: inks.moved, "stroke-width": .08 }, $("trails"));
  }
  for (const [code, x, y] of come) addPiece(code, x, y);
  if (names) setNames(names);
  return time;
}

// Lines.

steps.count = () => lines() ? item().steps.length : 0;
steps.show = (wanted, before) => {
  const { steps: own } = item();
  let time = 0;
  if (wanted === before + 1) time = change(own[wanted - 1], true);
  else if (wanted !== before || !shown) {
    drawStart();
    for (const past of own.slice(0, wanted)) change(past, false);
  }
  const { text, note } = own[wanted - 1] || { text: own.length ? "start" : "" };
  say([own.length ? `${wanted} of ${own.length}:` : "", text, note ? `– ${note}` : ""].join(" "));
  return new Promise((resume) => setTimeout(resume, time + PAUSE_MS));
};

// Puzzles.

const node = () => item().nodes[state.node];
function movesHere() {
  const [, , own] = node(), found = [];
  if (state.away) return found;
  for (let k = 0; k < own.length; k += 2) {
    const [x, y, direction, text, slides] = item().moves[own[k]];
    const self = slides.find(([a, b]) => same(x, y, a, b));
    const [dx, dy] = STEPS[direction], end = self ? self.slice(2, 4) : [x + dx, y + dy];
    found.push({ x, y, direction, text, slides, end, next: own[k + 1] });
  }
  return found;
}

function mark(x, y, r, colour) {
  make("circle", { cx: x, cy: y, r, fill: "none", stroke: colour, "stroke-width": .1 }, $("marks"));
}

function showMarks() {
  $("marks").replaceChildren();
  if (!isPuzzle()) return;
  const [x, y] = item().target;
  if (x !== undefined) mark(x, y, .46, inks.moved);
  if (state.busy) return;
  const moves = movesHere();
  if (state.chosen) {
    mark(...state.chosen, .47, inks.accent);
    for (const own of moves) {
      if (!same(own.x, own.y, ...state.chosen)) continue;
      make("circle", { cx: own.end[0], cy: own.end[1], r: .16, fill: inks.accent }, $("marks"));
    }
  }
  if (state.grade && moves.length) mark(moves[0].x, moves[0].y, .53, inks.flipped);
  if (state.grade > 1 && moves.length) {
    const { x: a, y: b, end, direction } = moves[0], [dx, dy] = STEPS[direction];
    make("path", { d: `M${a + .53 * dx} ${b + .53 * dy}L${end[0]} ${end[1]}`, stroke: inks.flipped,
      "stroke-width": .12, "stroke-linecap": "round" }, $("marks"));
    make("circle", { cx: end[0], cy: end[1], r: .22, fill: inks.flipped }, $("marks"));
  }
}

function solution(from) {
  const texts = [];
  for (let [left, , own] = item().nodes[from]; left; [left, , own] = item().nodes[own[1]]) {
    texts.push(item().moves[own[0]][3]);
  }
  return texts.join(" ");
}

function hint() {
  if (state.busy || state.away || !node()[0] || state.grade === grades) return;
  state.grade += 1;
  state.hints += 1;
  const [, piece] = node(), words = solution(state.node);
  say([piece, `Begin with ${words.split(" ")[0]}.`, `The solution is ${words}.`][state.grade - 1]);
  showMarks();
}

const later = (call, ms) => {
  const of = shown;
  state.busy += 1;
  setTimeout(() => { if (shown === of) { state.busy -= 1; call(); showMarks(); } }, ms);
};

const counted = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
function needed(code) {
  if (code === -1) return "it takes more actions than can be told quickly";
  return code === -2 ? "the goal is out of reach" : `it still takes ${-code - 2}`;
}
function help() {
  const helps = [[state.wrong, "wrong move"], [state.hints, "hint"]].filter(([n]) => n);
  return helps.length ? `with ${helps.map((own) => counted(...own)).join(" and ")}` : "without help";
}

// Every move is made; one that leads away stands until it is taken back.
function tryMove(move) {
  if (state.busy || !move) return;
  const before = pieces.map(({ code, x, y }) => [code, x, y]);
  state.past.push([state.node, before, [...$("trails").children]]);
  const time = change({ moves: move.slides }, true);
  [state.chosen, state.away] = [null, move.next < 0];
  if (state.away) {
    state.wrong += 1;
    say(`${move.text} leads away: from there ${needed(move.next)}. Undo, and try another.`, "wrong");
  } else {
    [state.node, state.grade] = [move.next, 0];
    const left = node()[0];
    if (left) {
      if (pieceAt(...move.end)) state.chosen = move.end;
      say(`${move.text} is right: ${counted(left, "action")} to go.`, "right");
    } else {
      say(`${move.text} solves it ${help()}!`, "right");
      if (!state.solved[state.item]) state.streak = state.wrong || state.hints ? 0 : state.streak + 1;
      state.solved[state.item] = true;
      celebrate();
      showControls();
    }
  }
  later(() => {}, time);
  showMarks();
}

function undo() {
  if (state.busy || !state.past.length) return;
  const [place, those, trails] = state.past.pop();
  Object.assign(state, { node: place, chosen: null, grade: 0, away: false });
  drawStart(those);
  $("trails").replaceChildren(...trails);
  say(`${counted(node()[0], "action")} to go.`);
  showMarks();
}

function celebrate() {
  if (reduced.matches) return;
  const [west, north, wide, high] = item().view, fills = ["accent", "flipped", "moved", "trail"];
  for (let k = 0; k < 48; k += 1) {
    const scrap = make("rect", { width: .3, height: .18, fill: inks[fills[k % 4]] }, $("board"));
    const x = west + wide * Math.random(), drift = 3 * Math.random() - 1.5;
    scrap.animate([{ transform: `translate(${x}px,${north}px)` },
      { transform: `translate(${x + drift}px,${north + high}px) rotate(${900 * Math.random()}deg)` }],
    { duration: 900 + 1100 * Math.random(), easing: "ease-in" }).onfinish = () => scrap.remove();
  }
}

// The result in a line, with an address or a command that opens the same puzzle.
async function share() {
  const { title, actions, command } = item(), row = state.streak;
  const link = location.protocol.startsWith("http")
    ? `${location.href.split("#")[0]}#${state.item + 1}` : command;
  const text = `Puck Bumpers, ${title}: solved in ${counted(actions, "action")} ${help()}`
    + `${row > 1 ? `, ${row} in a row` : ""}. ${link}`;
  try {
    await navigator.clipboard.writeText(text);
    say(`Copied: ${text}`);
  } catch { say(text); }
}

function choose(x, y) {
  if (state.away) return undo();
  const piece = pieceAt(x, y), own = movesHere().some((move) => same(x, y, move.x, move.y));
  state.chosen = own ? [x, y] : null;
  const { side, sides } = item();
  if (piece && !own && node()[0]) {
    say(piece.code[0] === side ? "That piece cannot move."
      : `That piece is ${sides[piece.code[0]]}, but ${sides[side]} is to move.`);
  }
  showMarks();
}

function chooseNext() {
  const places = [];
  for (const { x, y } of movesHere()) {
    if (!places.some((place) => same(x, y, ...place))) places.push([x, y]);
  }
  places.sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  const now = places.findIndex((place) => state.chosen && same(...place, ...state.chosen));
  if (places.length) choose(...places[(now + 1) % places.length]);
}

function send(direction, from = state.chosen) {
  if (state.away) return undo();
  if (!from) return chooseNext();
  const move = movesHere().find((own) => own.direction === direction && same(own.x, own.y, ...from));
  if (move) tryMove(move);
  else say("It cannot move that way.");
}

function startPuzzle() {
  Object.assign(state, { node: 0, chosen: null, grade: 0, wrong: 0, hints: 0, busy: 0, past: [],
    away: false });
  shown = {};
  drawStart();
  say("Click on a piece, then on a dot; or drag it; or use Space and the arrow keys.");
  showMarks();
}

// Both.

function show(index) {
  steps.stop();
  state.item = (index + items.length) % items.length;
  steps.at = 0;
  shown = null;
  const { title, task } = item();
  $("title").textContent = items.length > 1 ? `${title} (${state.item + 1} of ${items.length})` : title;
  $("about").textContent = task;
  $("board").setAttribute("aria-label", `${title}. ${task}`);
  $("board").classList.toggle("plays", isPuzzle());
  $("scrubbing").hidden = !lines();
  if (isPuzzle()) startPuzzle();
  else {
    steps.go(0);
    shown = {};
    showMarks();
  }
  showControls();
}

const lines = () => !isPuzzle() && item().steps.length > 0;
const many = () => items.length > 1;
makeControls([
  ...steps.commands(lines),
  { keys: ["h", "i"], label: "Hint", name: "Hint; again for more", when: isPuzzle, run: hint },
  { keys: ["u", "backspace"], label: "Undo", name: "Take the last move back", when: isPuzzle,
    run: undo },
  { keys: ["s"], label: "Share", name: "Share the result", run: share,
    when: () => isPuzzle() && state.solved[state.item] },
  { keys: ["r"], label: "Start over", name: "Start over", when: isPuzzle, run: startPuzzle },
  { keys: [" "], name: "Next piece", when: isPuzzle, run: chooseNext },
  { keys: ARROWS, name: "Move it", when: isPuzzle, run: (key) => send(ARROWS.indexOf(key)) },
  { keys: ["p"], icon: "previous", name: "Previous", when: many, run: () => show(state.item - 1) },
  { keys: ["n"], icon: "next", name: "Next", when: many, run: () => show(state.item + 1) },
]);
steps.listen();

let pressed = null;
function placeOf(event) {
  const point = new DOMPoint(event.clientX, event.clientY);
  return point.matrixTransform($("board").getScreenCTM().inverse());
}
$("board").addEventListener("pointerdown", (event) => {
  pressed = placeOf(event);
  $("board").setPointerCapture(event.pointerId);
});
$("board").addEventListener("pointerup", (event) => {
  const begin = pressed, end = placeOf(event);
  pressed = null;
  if (!begin) return;
  const [dx, dy] = [end.x - begin.x, end.y - begin.y], far = Math.max(Math.abs(dx), Math.abs(dy));
  if (!isPuzzle()) {
    const [west, , wide] = item().view, back = far > .5 ? dx > 0 : end.x < west + wide / 3;
    if (lines()) steps.by(back ? -1 : 1);
    return;
  }
  const [x, y] = [Math.floor(begin.x) + .5, Math.floor(begin.y) + .5];
  if (far > .5) {
    choose(x, y);
    if (state.chosen) send(Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? 1 : 3) : dy > 0 ? 2 : 0);
    return;
  }
  const from = state.chosen;
  const move = from && movesHere().find(
    (own) => same(own.x, own.y, ...from) && same(x, y, ...own.end));
  if (move) tryMove(move);
  else choose(x, y);
});
window.pucklab = { state, steps, items, version, show, movesHere, pieces: () => pieces,
  ready: Promise.resolve() };
const open = () => show(Math.max(Number(location.hash.slice(1)) || 1, 1) - 1);
addEventListener("hashchange", open);
open();
