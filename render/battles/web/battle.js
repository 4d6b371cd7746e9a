// The story of a battle: its lines, the stacks of its players, and its throws in the Lab's arena. An entry
// has what is new now: the turn, stacks by the number of their place, statuses of players by their seat.

const SHORTEST_MS = 450, PER_LETTER_MS = 14, LONGEST_MS = 2000, RESULT_MS = 2500;
let story = null, seats = [], arena = null;
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

const setText = (id, text) => { if ($(id).textContent !== text) $(id).textContent = text; };

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
  $("pile").replaceChildren();
  pile(scene, "Arena", 0, moved, $("pile"));
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

let clip = null;   // the slam that the arena shows, if it shows one
let over = null;   // called when it is over and was seen
let shows = 0;

// True while a slam runs, whose outcome is not told yet.
const isHeld = () => Boolean(clip) && !arena.atEnd();

// The stack where no slam is shown, with the slammer of the turn over it; it is face down.
function standStill(scene) {
  const slammer = stackOf(scene, "slammer", scene.player);
  const pieces = [...stackOf(scene, "Arena").slice(-story.most), ...slammer].map(designOf).map((piece) => ({ ...piece, mark: "" }));
  arena.stand({ pieces, ...story.arena }, { turned: story.turned, hovers: slammer.length > 0 });
}

// Shows what is told at an entry; while its slam runs, the battle before it.
function tell(step) {
  const scene = scenes[step], held = isHeld(), shown = held ? scenes[Math.max(step - 1, 0)] : scene;
  setText("title", scene.head);
  showSeats(shown);
  showCurve(step);
  showLog(step, held);
  const lines = scene.lines || [];
  const told = step < scenes.length - 1 ? lines.join(" ") : scene.head;
  say(held ? scene.throws : told || $("log").lastElementChild?.textContent || "");
  showControls();
}

// Shows an entry; its slam runs if the step before it was shown. Returns what ends when it was seen.
async function showEntry(step, before) {
  const scene = scenes[step], { isThrow, fallen, lines = [] } = scene, run = shows += 1;
  [clip, over] = [null, null];
  if ((fallen || isThrow) && scene.clip !== undefined) {
    try {
      clip = story.throws[scene.clip].shown ||= await arena.clip(story.slams, scene.clip, { turned: story.throws[scene.clip].turned });
    } catch (error) { console.error(error); }
    if (run !== shows) return;
  }
  if (!clip) standStill(scene);
  else if (isThrow && step === before + 1) {
    arena.play(clip);
    tell(step);
    await seen();
    return;
  } else {
    arena.play(clip);
    arena.seek(1e9);
    const left = stackOf(scene, "Arena");   // others were picked up
    arena.hide(story.throws[scene.clip].pucks.flatMap((puck, k) => (left.includes(puck) ? [] : [k])));
  }
  tell(step);
  const letters = lines.join(" ").length;
  await new Promise((resume) => setTimeout(resume, Math.min(SHORTEST_MS + PER_LETTER_MS * letters, LONGEST_MS)));
}

// Ends when the slam has come to its end, and its outcome was seen; at once if it has.
const seen = () => new Promise((resume) => { if (isHeld()) over = resume; else setTimeout(resume, RESULT_MS); });

function ended() {
  tell(steps.at);
  const resume = over;
  over = null;
  if (resume) setTimeout(resume, RESULT_MS);
}

function makeStory() {
  const isTurn = ({ isTurn }, k) => isTurn || !k;
  const turns = scenes.flatMap((scene, k) => isTurn(scene, k) ? [k] : []);
  const previous = { keys: ["p", "pageup"], label: "Turn back", name: "Previous turn",
    run: () => pauseAt(turns.findLast((k) => k < steps.at) ?? 0) };
  const next = { keys: ["n", "pagedown"], label: "Next turn", name: "Next turn",
    run: () => pauseAt(turns.find((k) => k > steps.at) ?? steps.count()) };
  const again = { keys: ["r"], label: "Again", name: "Repeat this slam",
    when: () => Boolean(clip) && scenes[steps.at].isThrow,
    run: () => { steps.stop(); steps.show(steps.at, steps.at - 1); } };
  const pressed = (key) => arena.keys[key]();
  const viewing = [
    { keys: ["c", "v"], label: "Camera", name: "Next camera", run: arena.nextView },
    { keys: ["a", "d"], name: "Turn the view", run: pressed },
    { keys: ["+", "-"], name: "Zoom", run: pressed },
    { keys: ["m"], label: () => arena.state.isSoundOn ? "Sound off" : "Sound on", name: "Sound",
      run: () => { arena.switchSound(); showControls(); } },
  ];
  steps.count = () => scenes.length - 1;
  steps.halt = () => { if (arena.state.playing) arena.toggle(); };
  steps.rest = () => {
    if (!isHeld()) return null;
    if (!arena.state.playing) arena.toggle();
    return seen();
  };
  steps.show = showEntry;
  makeControls([...steps.commands(undefined, [previous], [next, again]), ...viewing]);
  steps.listen();
  $("curve").onclick = (event) => {
    const box = $("curve").getBoundingClientRect();
    pauseAt(Math.round((event.clientX - box.left) / box.width * steps.count()));
  };
  return steps.go(Math.max(scenes.findIndex(({ isThrow }) => isThrow) - 1, 0));   // all is set up
}

async function begin() {
  showTheme();
  arena = await openArena({ ended });
  Object.assign(facts, JSON.parse(new TextDecoder().decode(await arena.inflate(facts.packed))));
  unfold();
  setText("about", story.about);
  setText("notice", arena.notice);
  makeStory();
}

// For scripts and tests.
window.pucklab = { facts, steps, get arena() { return arena; }, isHeld };
window.pucklab.ready = begin().catch((error) => {
  setText("notice", "This browser is too old to show the battle.");
  console.error(error);
});
