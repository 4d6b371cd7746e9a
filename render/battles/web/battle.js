// The story of a battle: its lines, the stacks of its players, and its throws as slams. An entry has
// what is new now: the turn, stacks by the number of their place, statuses of players by their seat.

const HIDDEN_MM = -400, SHORTEST_MS = 450, PER_LETTER_MS = 14, LONGEST_MS = 2000;
let story = null, seats = [];
const scenes = [];   // all that is shown at each entry

function unfold() {
  story = facts.story;
  seats = story.names.map((name, seat) => ({ name, seat }));
  let now = {};
  for (const { now: changes, ...entry } of story.entries) {
    now = { ...now, ...changes };
    scenes.push({ ...entry, ...now });
  }
}
const placeOf = (kind, seat) => story.places.indexOf(kind === "Arena" ? kind : `${kind} ${seat}`);
const stackOf = (scene, kind, seat) => scene[`stack${placeOf(kind, seat)}`];
const designOf = (puck) => story.designs[story.pucks[puck]];

function make(tag, className, text, parent) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  if (parent) parent.append(element);
  return element;
}
function draws(tag, attributes, parent) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  parent.append(element);
  return element;
}

function tile(puck, moved, parent) {
  const { name, fill, ink, energy, about } = designOf(puck);
  const element = make("div", moved.has(puck) ? "puck moved" : "puck", "", parent);
  if (energy) draws("use", { href: `#e-${energy}` }, draws("svg", { viewBox: "-1 -1 2 2" }, element));
  element.append(energy && name.toLowerCase().startsWith(energy) ? name.slice(energy.length + 1) : name);
  element.style.background = fill;
  element.style.color = ink;
  element.title = `${name}: ${about}`;
}

function pile(scene, kind, seat, moved, parent) {
  const pucks = stackOf(scene, kind, seat), element = make("div", "stack", "", parent);
  make("small", "", `${kind} ${pucks.length}`, element);
  for (const puck of pucks) tile(puck, moved, element);
}

function showSeats(scene) {
  const moved = new Set(scene.moved || []);
  $("seats").replaceChildren(...seats.map(({ name, seat }) => {
    const isOut = scene.playing && !scene.playing.includes(seat);
    const element = make("section", `seat${scene.player === seat && scene.turn ? " turn" : ""}`
      + (isOut ? " out" : ""));
    const heading = make("h2", "", "", element);
    make("i", "", "● ", heading).style.color = story.inks[seat % story.inks.length];
    heading.append(name);
    for (const status of scene[`status${seat}`]) make("b", "", status, heading);
    const slammer = stackOf(scene, "slammer", seat)[0];
    make("span", "", isOut ? "out" : slammer === undefined ? "" : designOf(slammer).face, heading);
    const piles = make("div", "stacks", "", element);
    for (const kind of ["Health", "Power", "Prize"]) pile(scene, kind, seat, moved, piles);
    return element;
  }));
  $("arena").replaceChildren();
  pile(scene, "Arena", 0, moved, $("arena"));
}

// Health of all players over the entries; what is to come is faint.
function showCurve(step) {
  const health = seats.map(({ seat }) => scenes.map((scene) => stackOf(scene, "Health", seat).length));
  const most = Math.max(1, ...health.flat()), last = Math.max(scenes.length - 1, 1);
  const [width, height] = [1000, 100];
  const at = (k, value) => `${(width * k / last).toFixed(1)} ${(height - 8 - (height - 16) * value / most).toFixed(1)}`;
  $("curve").setAttribute("viewBox", `0 0 ${width} ${height}`);
  $("curve").replaceChildren();
  draws("path", { d: `M${at(step, 0)}V0`, stroke: "var(--faint)", "stroke-width": 4 }, $("curve"));
  health.forEach((values, seat) => {
    for (const [end, opacity] of [[last, .25], [step, 1]]) {
      const d = values.slice(0, end + 1).map((value, k) => `${k ? "L" : "M"}${at(k, value)}`).join("");
      draws("path", { d, fill: "none", opacity, stroke: story.inks[seat % story.inks.length],
        "stroke-width": 2, "vector-effect": "non-scaling-stroke" }, $("curve"));
    }
  });
  const label = seats.map(({ name, seat }) => `${name} ${health[seat][step]}`).join(", ");
  $("curve").setAttribute("aria-label", `Health: ${label}`);
}

function pauseAt(step) {
  const words = steps.playing ? "Paused. " : "";
  steps.stop();
  steps.go(step);
  $("said").prepend(words);
}

function showLog(step, isHeld) {
  $("log").replaceChildren();
  scenes.slice(0, step + 1).forEach(({ lines = [] }, k) => {
    if (k === step && isHeld) return;
    for (const line of lines) {
      const item = make("li", line.startsWith("Turn ") ? "head" : "", line, $("log"));
      item.onclick = () => pauseAt(k);
    }
  });
  const last = $("log").lastElementChild;
  if (!last) return;
  last.classList.add("now");
  $("log").scrollTop = $("log").scrollHeight;
}

const mode = {
  tells: true,
  clipOf: -1,   // slam shown, or -1
  over: null,   // called when it is over

  poses(slam) {
    const poses = posesAt(slam, state.time), scene = scenes[steps.at];
    if (!this.isHeld()) {   // pucks that were picked up are gone
      clip().pucks.forEach((puck, k) => {
        if (!stackOf(scene, "Arena").includes(puck)) poses[7 * k + 2] = HIDDEN_MM;
      });
    }
    return poses;
  },

  // True while a slam runs, whose outcome is not told yet.
  isHeld() { return this.clipOf >= 0 && !atEnd(); },

  // The stack where no slam is shown, with the slammer of the turn beside the box.
  still() {
    if (this.clipOf >= 0) return null;
    const scene = scenes[steps.at], { half, wall, cameras } = story.arena;
    const arena = stackOf(scene, "Arena").slice(-story.most), own = stackOf(scene, "slammer", scene.player);
    const pucks = [...arena, ...own], pieces = pucks.map(designOf);
    const poses = new Float32Array(7 * Math.max(pieces.length, 1));
    let height = 0;
    pieces.forEach((piece, k) => {
      const isOwn = k >= arena.length, aside = half + 90;
      const x = !isOwn ? 0 : scene.player ? -aside : aside;
      const turn = isOwn ? [1, 0, 0, 0] : [0, 1, 0, 0];   // the stack is face down
      poses.set([x, 0, (isOwn ? 0 : height) + piece.half, ...turn], 7 * k);
      if (!isOwn) height += 2 * piece.half;
    });
    return { slam: { pieces, half, wall }, poses, cameras };
  },

  // Shows an entry; while its slam runs, the battle before it.
  tell(step, isHeld) {
    const scene = scenes[step], shown = isHeld ? scenes[Math.max(step - 1, 0)] : scene;
    setText("title", scene.head);
    showSeats(shown);
    showCurve(step);
    showLog(step, isHeld);
    const lines = scene.lines || [];
    const told = step < scenes.length - 1 ? lines.join(" ") : scene.head;
    say(isHeld ? scene.throws : told || $("log").lastElementChild?.textContent || "");
    showControls();
  },

  slam(step) {
    const { clip: own = -1 } = scenes[step];
    return draw ? own : -1;
  },

  begin() {
    unfold();
    const space = $("space"), arena = make("div", "", "", space);
    arena.id = "arena";
    setText("about", story.about);
    const isTurn = ({ isTurn }, k) => isTurn || !k;
    const turns = scenes.flatMap((scene, k) => isTurn(scene, k) ? [k] : []);
    const previous = { keys: ["p", "pageup"], label: "Turn back", name: "Previous turn",
      run: () => pauseAt(turns.findLast((k) => k < steps.at) ?? 0) };
    const next = { keys: ["n", "pagedown"], label: "Next turn", name: "Next turn",
      run: () => pauseAt(turns.find((k) => k > steps.at) ?? steps.count()) };
    const again = { keys: ["r"], label: "Again", name: "Repeat this slam",
      when: () => this.slam(steps.at) >= 0 && scenes[steps.at].isThrow,
      run: () => { steps.stop(); steps.show(steps.at, steps.at - 1); } };
    steps.count = () => scenes.length - 1;
    steps.halt = () => play(false);
    steps.rest = () => this.isHeld() ? this.run() : null;
    steps.show = (step, before) => {
      const { isThrow, fallen } = scenes[step];
      this.over = null;
      this.clipOf = fallen || isThrow ? this.slam(step) : -1;
      const runs = isThrow && this.clipOf >= 0 && step === before + 1;
      if (this.clipOf >= 0) {
        state.clip = this.clipOf;
        state.time = runs ? startOf(clip()) : endOf(clip());
      }
      this.tell(step, runs);
      dirty = true;
      if (runs) return this.run();
      const letters = (scenes[step].lines || []).join(" ").length;
      const wait = Math.min(SHORTEST_MS + PER_LETTER_MS * letters, LONGEST_MS);
      return new Promise((resume) => setTimeout(resume, wait));
    };
    makeControls([...steps.commands(undefined, [previous], [next, again]), ...draw ? VIEWING : []]);
    steps.listen();
    $("curve").onclick = (event) => {
      const box = $("curve").getBoundingClientRect();
      pauseAt(Math.round((event.clientX - box.left) / box.width * steps.count()));
    };
    steps.go(Math.max(scenes.findIndex(({ isThrow }) => isThrow) - 1, 0)); // all is set up
  },

  // Plays what is left of the slam; returns what ends when it is over and has been seen.
  run() {
    resultLeft = RESULT_S;
    play(true);
    return new Promise((resume) => { this.over = resume; });
  },

  // The slam has come to its end.
  landed() { this.tell(steps.at, false); },

  // Its outcome has been seen.
  ended() {
    play(false);
    if (this.over) this.over();
    this.over = null;
  },
};
