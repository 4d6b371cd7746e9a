// The clock and the controls of the player. Facts of the slams stand in the page as JSON. A `mode`
// has more: a page to throw in, or the story of a battle.

// Speeds: those of a film, where the impact is slow and the rest at half speed, or one of all.
const SPEEDS = [
  ["film", "slow impact"], ["1", "real time"], ["2", "half speed"], ["10", "1/10"],
  ["50", "1/50"], ["250", "1/250"],
];
const STEP_S = .002, RESULT_S = 2.5, LIGHT_UP_S = .25;

const PICTURE = mode && mode.still ? "A picture stands for it." : "The picture shows the end.";

Object.assign(state, {
  clip: 0, time: 0, playing: false, speed: "film", view: "follow", camera: null, sound: true,
});

const clip = () => facts.clips[state.clip];
let several = false;
const still = () => mode && mode.still ? mode.still() : null;   // a view without motion
// The track of a film has for each frame: time, azimuth, distance, and x, y, z of the target.
const ROW = 6;
const trackLength = () => clip().track.length / ROW;
const startOf = (of) => of.track[0];
const endOf = (of) => of.track[of.track.length - ROW];

// The place of a time on the track of a film, in frames, and back.
function frameOf(time) {
  const { track } = clip();
  const [low, high, share] = around(time, (k) => track[ROW * k], trackLength());
  return low + share * (high - low);
}

function onTrack(frame, part) {
  const { track } = clip(), last = trackLength() - 1;
  const low = clamp(Math.floor(frame), 0, last), high = Math.min(low + 1, last);
  const share = clamp(frame - low, 0, 1);
  return (1 - share) * track[ROW * low + part] + share * track[ROW * high + part];
}

function cameraNow() {
  if (state.camera) return state.camera;
  const shown = still(), { cameras } = shown || clip();
  if (shown || state.view !== "follow") return cameras[state.view];
  const frame = frameOf(state.time);
  return {
    ...cameras.follow,
    azimuth: onTrack(frame, 1),
    distance: onTrack(frame, 2),
    target: [onTrack(frame, 3), onTrack(frame, 4), onTrack(frame, 5)],
  };
}

const atEnd = () => !clip() || state.time >= endOf(clip()) - 1e-9;

// Flips and pieces outside in words, of those at rest; empty for none before the end.
function countAt(slam, time) {
  const [flips, out] = ["flipped", "out"].map((mark) => slam.pieces.slice(0, -1).filter(
    (piece) => piece.mark === mark && (time >= piece.rest || atEnd())).length);
  if (!flips && !out && !atEnd()) return "";
  return slam.hit ? `${flips || "no"} flip${flips === 1 ? "" : "s"}${out ? `, ${out} out` : ""}`
    : "missed";
}

function glowsAt(slam, time) {
  return slam.pieces.map((piece) => {
    if (!piece.mark || !(time >= piece.rest || atEnd())) return [0, 0, 0, 0];
    // It lights up brightly, then calms down.
    const since = atEnd() ? 1 : (time - piece.rest) / LIGHT_UP_S;
    return [...rgb(facts.themes.dark[piece.mark]), .8 + .7 * Math.exp(-4 * since)];
  });
}

// Boxes of the slams of a clip in the canvas: as many columns as make them largest.
function gridOf(count) {
  let best = [1, 0];
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    const size = Math.min(canvas.width / columns / 1.5, canvas.height / rows);
    if (size > best[1]) best = [columns, size];
  }
  return [best[0], Math.ceil(count / best[0])];
}

const canvas = $("canvas");
let draw = null, sounds = null, dirty = true, last = 0, resultLeft = RESULT_S;

function drawAll() {
  if (!draw || !(still() || clip())) return;
  const scale = Math.min(devicePixelRatio || 1, 2);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight].map(
    (side) => Math.max(Math.round(side * scale), 1));
  if (canvas.width !== width || canvas.height !== height) {
    [canvas.width, canvas.height] = [width, height];
  }
  const shown = still(), slams = shown ? [shown.slam] : clip().slams, camera = cameraNow();
  const [columns, rows] = gridOf(slams.length);
  const [wide, high] = [Math.floor(width / columns), Math.floor(height / rows)];
  draw(slams.map((slam, k) => ({
    slam, camera,
    poses: shown ? shown.poses : mode ? mode.poses(slam) : posesAt(slam, state.time),
    glows: shown ? slam.pieces.map(() => [0, 0, 0, 0]) : glowsAt(slam, state.time),
    box: [k % columns * wide, height - (Math.floor(k / columns) + 1) * high, wide, high],
  })), colours());
  showTheme();
  showCount(shown ? null : slams);
  if (shown || mode && mode.tells) return;   // a story tells more
  showTexts(columns, rows);
}

function setText(id, text) {
  if ($(id).textContent !== text) $(id).textContent = text;
}

// Counts for a slam so far; of several each panel does.
function showCount(slams) {
  const isOne = slams && slams.length === 1 && !aims();
  const text = isOne ? countAt(slams[0], state.time).toUpperCase() : "";
  if ($("count").textContent === text) return;
  setText("count", text);
  $("count").className = "none";
  void $("count").offsetWidth;   // restarts the animation
  if (/^\d/.test(text)) $("count").className = "new";
}

function showTexts(columns, rows) {
  const { slams, title } = clip(), many = slams.length > 1;
  setText("title", mode ? mode.title(title) : title);
  const engines = [...new Set(slams.map((slam) => slam.engine))].join(" and ");
  const flat = slams.some((slam) => !slam.inSpace);
  setText("about", `${engines} engine, pucklab ${facts.version}`
    + (several ? `, ${state.clip + 1} of ${facts.clips.length}` : "")
    + (mode ? mode.told() : "")
    + (flat ? "; an older recording, without motion in space" : ""));
  const panels = $("panels");
  panels.style.gridTemplate = `repeat(${rows}, 1fr) / repeat(${columns}, 1fr)`;
  const wanted = many ? slams.length : 0;
  while (panels.children.length > wanted) panels.lastChild.remove();
  while (panels.children.length < wanted) {
    panels.append(document.createElement("div"));
    panels.lastChild.append(document.createElement("span"), " ", document.createElement("b"));
  }
  [...panels.children].forEach((panel, k) => {
    panel.firstChild.textContent = slams[k].name;
    panel.lastChild.textContent = countAt(slams[k], state.time);
  });
  const ms = 1000 * state.time;
  const slower = slowness();
  time.firstChild.textContent = `${ms.toFixed(Math.abs(ms) < 99.95 ? 1 : 0)} ms `;
  time.lastChild.textContent = atEnd() ? "" : slower < 1.05 ? "real time"
    : slower < 2.05 && slower > 1.95 ? "half speed" : `${Math.round(slower)} times slower`;
  $("scrub").value = Math.round(1000 * frameOf(state.time) / (trackLength() - 1));
  $("scrub").disabled = aims();
  $("scrub").setAttribute("aria-valuetext", `${ms.toFixed(1)} milliseconds`);
  canvas.setAttribute("aria-label",
    `${title}: ${$("count").textContent.toLowerCase() || `${ms.toFixed(0)} milliseconds`}`);
}

// How many times slower than real the slam is shown now.
function slowness() {
  if (state.speed !== "film") return Number(state.speed);
  const frame = Math.min(frameOf(state.time), trackLength() - 1.001);
  const step = onTrack(Math.floor(frame) + 1, 0) - onTrack(Math.floor(frame), 0);
  return step > 0 ? 1 / facts.trackFps / step : 1;
}

function advance(elapsed) {
  const before = state.time;
  if (state.speed === "film") {
    state.time = onTrack(frameOf(before) + elapsed * facts.trackFps, 0);
  } else {
    state.time = Math.min(before + elapsed / Number(state.speed), endOf(clip()));
  }
  if (sounds && state.sound) {
    // Of contacts in one frame the loudest is heard; in slow motion it is lower.
    const due = clip().sounds.filter(([time]) => before < time && time <= state.time);
    const isChime = ([, voice]) => voice.startsWith("chime");
    const loudest = Math.max(0, ...due.filter((sound) => !isChime(sound)).map((sound) => sound[2]));
    const lower = Math.max(Math.max(slowness(), 1) ** -.2, .3);
    for (const sound of due) {
      const [, voice, loudness, side] = sound;
      if (isChime(sound)) sounds.play(voice, loudness, side, 1);
      else if (loudness === loudest) sounds.play(voice, loudness, side, lower);
    }
  }
}

function tick(now) {
  const elapsed = Math.min((now - last) / 1000, .1);
  last = now;
  if (state.playing) {
    if (!atEnd()) {
      advance(elapsed);
      dirty = true;
      if (atEnd()) resultLeft = RESULT_S;
      if (atEnd() && mode && mode.landed) mode.landed();
    } else if (several && state.clip + 1 < facts.clips.length) {
      resultLeft -= elapsed;
      if (resultLeft <= 0) show(state.clip + 1, true);
    } else if (mode && mode.ended) {
      resultLeft -= elapsed;
      if (resultLeft <= 0) mode.ended();
    } else {
      play(false);
    }
  }
  if (dirty) {
    dirty = false;
    drawAll();
  }
  requestAnimationFrame(tick);
}

function play(on) {
  if (on && atEnd()) state.time = startOf(clip());
  state.playing = on;
  if (on && sounds) sounds.wake();
  showControls();
  dirty = true;
}

function show(index, playing) {
  state.clip = (index + facts.clips.length) % facts.clips.length;
  state.time = startOf(clip());
  showTicks();
  play(playing);
}

function seek(time) {
  state.time = clamp(time, startOf(clip()), endOf(clip()));
  play(false);
  if (atEnd() && mode && mode.landed) mode.landed();
}

function turn(azimuth, elevation) {
  const camera = cameraNow();
  state.camera = {
    ...camera,
    azimuth: camera.azimuth + azimuth,
    elevation: clamp(camera.elevation + elevation, .05, Math.PI / 2),
  };
  views.value = "own";
  dirty = true;
}

function zoom(factor) {
  const camera = cameraNow();
  const distance = clamp(camera.distance / factor, 90, 2500);
  state.camera = { ...camera, distance };
  views.value = "own";
  dirty = true;
}

function setView(name) {
  if (name === "own") return;
  state.view = name;
  state.camera = null;
  views.value = name;
  dirty = true;
}

function nextView() {
  const names = ["follow", "above", "side"];
  setView(names[(names.indexOf(state.camera ? "side" : state.view) + 1) % names.length]);
}

function setSpeed(change) {
  const names = SPEEDS.map(([name]) => name);
  const index = names.indexOf(state.speed) + change;
  state.speed = names[clamp(index, 0, names.length - 1)];
  speeds.value = state.speed;
  dirty = true;
}

// Ticks on the scrub bar at the first contact and at the end of the impact.
function showTicks() {
  $("ticks").replaceChildren();
  if (!clip().impactEnd) return;
  for (const time of [0, clip().impactEnd]) {
    const mark = document.createElement("i");
    const share = frameOf(time) / (trackLength() - 1);
    mark.style.left = `calc(${100 * share}% + ${8 - 16 * share}px)`;
    $("ticks").append(mark);
  }
}

function choice(name, options, changed) {
  const select = document.createElement("select");
  select.setAttribute("aria-label", name);
  for (const [value, text] of options) select.add(new Option(text, value));
  select.onchange = () => { changed(select.value); select.blur(); };
  return select;
}

const time = document.createElement("span"), space = document.createElement("span");
time.id = "time";
time.append("", document.createElement("span"));
space.className = "space";
const speeds = choice("Speed", SPEEDS, (value) => { state.speed = value; dirty = true; });
const views = choice("Camera", [
  ["follow", "camera follows"], ["above", "from above"], ["side", "from the side"],
  ["own", "your own view"],
], setView);
const isMany = () => several;
const aims = () => mode?.aims;   // nothing is thrown yet
const CLOCK = [
  { keys: [" ", "k"], name: () => state.playing ? "Pause" : "Play", id: "play",
    label: () => state.playing ? "Pause" : "Play", run: () => play(!state.playing) },
  { keys: ["r", "home"], name: "From the start", label: "Restart",
    run: () => { state.time = startOf(clip()); play(true); } },
  { keys: ["arrowleft"], name: "A step back", label: "Back", wide: true,
    run: () => seek(state.time - STEP_S) },
  { keys: ["arrowright"], name: "A step on", label: "On", wide: true,
    run: () => seek(state.time + STEP_S) },
  { keys: ["end"], name: "To the end", run: () => seek(endOf(clip())) },
  { keys: ["p"], name: "Previous slam", label: "Previous", when: isMany,
    run: () => show(state.clip - 1, true) },
  { keys: ["n"], name: "Next slam", label: "Next", when: isMany,
    run: () => show(state.clip + 1, true) },
  { element: time },
].map((command) => ({ when: () => !aims(), ...command }));
const VIEWING = [
  { element: space }, { element: speeds }, { element: views },
  { keys: ["arrowup"], name: "Faster", run: () => setSpeed(-1) },
  { keys: ["arrowdown"], name: "Slower", run: () => setSpeed(1) },
  { keys: ["v"], name: "Next camera", run: nextView },
  { keys: ["0"], name: "Camera that follows", run: () => setView("follow") },
  { keys: ["a", "d"], name: "Turn the view",
    run: (key) => turn(key === "a" ? -.12 : .12, 0) },
  { keys: ["w", "s"], name: "Raise or lower the view",
    run: (key) => turn(0, key === "w" ? .08 : -.08) },
  { keys: ["+", "=", "-"], name: "Zoom", run: (key) => zoom(key === "-" ? 1 / 1.15 : 1.15) },
  { keys: ["u", "m"], name: () => state.sound ? "Sound off" : "Sound on",
    label: () => state.sound ? "Mute" : "Sound",
    run: () => { state.sound = !state.sound; if (sounds) sounds.wake(); showControls(); } },
];

function listen() {
  for (const name of ["keydown", "pointerup"]) {
    document.addEventListener(name, () => { if (sounds) sounds.wake(); });
  }
  // One pointer turns the view; two pinch it.
  const pointers = new Map();
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  };
  canvas.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const was = pointers.size === 2 ? spread() : 0;
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (pointers.size === 1) {
      turn(-.008 * (event.clientX - before[0]), .008 * (event.clientY - before[1]));
    } else if (pointers.size === 2 && was > 0) {
      zoom(spread() / was);
    }
  });
  for (const name of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(name, (event) => pointers.delete(event.pointerId));
  }
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-.0012 * event.deltaY));
  }, { passive: false });
  canvas.addEventListener("dblclick", () => setView("follow"));
  canvas.addEventListener("webglcontextlost", (event) => {
    event.preventDefault();
    fallBack("The graphics of this browser stopped. Load the page again.");
  });
  new ResizeObserver(() => { dirty = true; }).observe(canvas);
  for (const event of ["change", "click", "keydown"]) {   // what is shown may depend on them
    document.addEventListener(event, () => { dirty = true; });
  }
  darkness.addEventListener("change", () => { dirty = true; });
}

// Shows the picture instead of the motion; what needs no motion works on.
function fallBack(message) {
  draw = null;
  canvas.hidden = true;
  $("still").hidden = Boolean(mode && mode.lives);
  $("notice").textContent = message;
  if (!mode || !mode.still) $("controls").hidden = true;
  else if (!commands.length && (facts.story || mode.lives)) mode.begin();
}

async function begin() {
  showTheme();
  if (typeof DecompressionStream === "undefined") {
    return fallBack(`This browser is too old to unpack the motion. ${PICTURE}`);
  }
  Object.assign(facts, JSON.parse(new TextDecoder().decode(await inflate(facts.packed))));
  const numbers = await unpack(facts.motion);
  facts.clips.forEach((own) => own.slams.forEach((slam) => restore(slam, numbers, facts.steps)));
  several = facts.clips.length > 1 && !mode;
  draw = await makeScene(canvas, facts);
  const isPlain = !draw && mode && mode.lives;
  if (isPlain) {
    draw = makePlainScene(canvas, facts);
    state.view = "above";
  }
  if (!draw) {
    return fallBack(`This browser has no WebGL2 to draw the motion. ${PICTURE}`);
  }
  sounds = makeSounds(facts);
  canvas.hidden = false;
  $("still").hidden = true;
  $("notice").textContent = isPlain ? "This browser has no WebGL2: slams are seen from above." : "";
  listen();
  if (mode && mode.still) mode.begin();
  else {
    makeControls([...CLOCK, ...VIEWING, ...mode ? mode.commands : []]);
    $("scrub").oninput = (event) =>
      seek(onTrack(event.target.value / 1000 * (trackLength() - 1), 0));
    if (mode) mode.listen();
    show(0, !mode && !reduced.matches);
  }
  drawAll();
  requestAnimationFrame((now) => { last = now; tick(now); });
}

// For scripts and tests: the state, and functions that move it.
window.pucklab = {
  state, facts, advance, played: () => sounds ? sounds.played : null,
  seek, play, show, setView, turn, zoom, posesAt, drawAll, cameraNow, mode, steps,
};
window.pucklab.ready = begin().catch((error) => {
  fallBack(`This browser cannot draw the motion. ${PICTURE}`);
  console.error(error);
});
