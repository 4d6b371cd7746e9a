// Boards to step through and puzzles to solve. All that moves change stands in the page as JSON;
// `board.js` draws it.

const { items, inks, grades, version } = facts;
const ARROWS = ["arrowup", "arrowright", "arrowdown", "arrowleft"];
const PAUSE_MS = 700;

Object.assign(state, {
  item: 0, node: 0, chosen: null, grade: 0, wrong: 0, hints: 0, solved: {}, busy: 0,
  past: [], away: false, streak: 0,
});
const board = new Board($("board"), inks);
let shown = null;
const item = () => items[state.item];
const isPuzzle = () => Boolean(item().nodes);

// Lines.

steps.count = () => lines() ? item().steps.length : 0;
steps.show = (wanted, before) => {
  const { steps: own } = item();
  let time = 0;
  if (wanted === before + 1) time = board.change(own[wanted - 1], true);
  else if (wanted !== before || !shown) {
    board.draw(item());
    for (const past of own.slice(0, wanted)) board.change(past, false);
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

function showMarks() {
  const rings = [], dots = [], arrows = [];
  if (isPuzzle()) {
    const moves = state.busy ? [] : movesHere();
    for (const place of item().targets) rings.push([...place, .46, "moved"]);
    if (state.chosen && !state.busy) {
      rings.push([...state.chosen, .47, "accent"]);
      for (const own of moves) {
        if (same(own.x, own.y, ...state.chosen)) dots.push([...own.end, .16, "accent"]);
      }
    }
    if (state.grade && moves.length) {
      const { x: a, y: b, end, direction } = moves[0], [dx, dy] = STEPS[direction];
      rings.push([a, b, .53, "flipped"]);
      if (state.grade > 1) {
        arrows.push([a + .53 * dx, b + .53 * dy, ...end, "flipped"]);
        dots.push([...end, .22, "flipped"]);
      }
    }
  }
  board.mark({ rings, dots, arrows });
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
  const before = board.pieces.map(({ code, x, y }) => [code, x, y]);
  state.past.push([state.node, before, [...board.trailsGroup.children]]);
  const time = board.change({ moves: move.slides }, true);
  [state.chosen, state.away] = [null, move.next < 0];
  if (state.away) {
    state.wrong += 1;
    say(`${move.text} leads away: from there ${needed(move.next)}. Undo, and try another.`, "wrong");
  } else {
    [state.node, state.grade] = [move.next, 0];
    const left = node()[0];
    if (left) {
      if (board.pieceAt(...move.end)) state.chosen = move.end;
      say(`${move.text} is right: ${counted(left, "action")} to go.`, "right");
    } else {
      say(`${move.text} solves it ${help()}!`, "right");
      if (!state.solved[state.item]) state.streak = state.wrong || state.hints ? 0 : state.streak + 1;
      state.solved[state.item] = true;
      board.celebrate();
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
  board.draw({ ...item(), pieces: those });
  board.trailsGroup.replaceChildren(...trails);
  say(`${counted(node()[0], "action")} to go.`);
  showMarks();
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
  const piece = board.pieceAt(x, y), own = movesHere().some((move) => same(x, y, move.x, move.y));
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
  board.draw(item());
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
  { keys: ["p"], label: "Previous", name: "Previous", when: many, run: () => show(state.item - 1) },
  { keys: ["n"], label: "Next", name: "Next", when: many, run: () => show(state.item + 1) },
]);
steps.listen();

board.listen((begin, end, direction) => {
  if (!isPuzzle()) {
    const [west, , wide] = item().view;
    const back = direction === null ? end.x < west + wide / 3 : end.x > begin.x;
    if (lines()) steps.by(back ? -1 : 1);
    return;
  }
  const [x, y] = [Math.floor(begin.x) + .5, Math.floor(begin.y) + .5];
  if (direction !== null) {
    choose(x, y);
    if (state.chosen) send(direction);
    return;
  }
  const from = state.chosen;
  const move = from && movesHere().find(
    (own) => same(own.x, own.y, ...from) && same(x, y, ...own.end));
  if (move) tryMove(move);
  else choose(x, y);
});
window.pucklab = { state, steps, items, version, show, movesHere, pieces: () => board.pieces,
  ready: Promise.resolve() };
const open = () => show(Math.max(Number(location.hash.slice(1)) || 1, 1) - 1);
addEventListener("hashchange", open);
open();
