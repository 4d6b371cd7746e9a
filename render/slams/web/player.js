"use strict";
// The clock and the controls of the player. Facts of the slams stand in the page as JSON.

const ICONS = {
  restart: "M6 5h2v14H6zM20 5v14L9 12z",
  play: "M6 4l14 8-14 8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  back: "M16 5v14L6 12z",
  on: "M8 5v14l10-7z",
  previous: "M5 5h3v14H5zM20 5v14L9 12z",
  next: "M16 5h3v14h-3zM4 5v14l11-7z",
  sound: "M3 9v6h4l5 5V4L7 9zM15 8.5q4 3.500 0 7zM17 5q7 7 0 14l1 1q9-8 0-16z",
  mute: "M3 9v6h4l5 5V4L7 9zM15 9l1-1 6 6-1 1zM21 8l1 1-6 6-1-1z",
  theme: "M12 3a9 9 0 1 0 0 18zM12 5a7 7 0 0 1 0 14z",
  full: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z",
  hand: "M4 12l7-8 7 8h-4v8h-6v-8z",
  help: "M8 9a4 4 0 1 1 5 4v2h-2v-4a2 2 0 1 0-1-2zM11 17h2v2h-2z",
};
// Speeds: those of a film, where the impact is slow and the rest at half speed, or one of all.
const SPEEDS = [
  ["film", "slow impact"], ["1", "real time"], ["2", "half speed"], ["10", "1/10"],
  ["50", "1/50"], ["250", "1/250"],
];
const STEP_S = .002, RESULT_S = 2.5, LIGHT_UP_S = .25;

const $ = (id) => document.getElementById(id);
const facts = JSON.parse($("data").textContent);

const state = {
  clip: 0, time: 0, playing: false, speed: "film", view: "follow", camera: null, sound: true,
  theme: "", rested: 0,
};

// The numbers of all motions: low bytes first, then high bytes, as differences.
async function unpack(text) {
  const halves = await inflate(text);
  const count = halves.length / 2, numbers = new Int16Array(count);
  for (let k = 0; k < count; k++) numbers[k] = halves[k] | halves[count + k] << 8;
  return numbers;
}

// Gives a slam its times, and the places and quaternions of its pieces, sample by sample.
function restore(slam, numbers) {
  const { samples, begin } = slam, rows = 7 * slam.pieces.length;
  const [stepMm, stepTurn, stepS] = facts.steps;
  slam.times = new Float64Array(samples);
  slam.states = new Float32Array(samples * rows);
  let sum = 0;
  for (let k = 0; k < samples; k++) {
    sum += numbers[begin + k] & 0xffff;
    slam.times[k] = slam.start + sum * stepS;
  }
  for (let row = 0; row < rows; row++) {
    let value = 0;
    const unit = row % 7 < 3 ? stepMm : stepTurn;
    for (let k = 0; k < samples; k++) {
      value += numbers[begin + (row + 1) * samples + k];
      slam.states[k * rows + row] = value * unit;
    }
  }
}

// Poses of all pieces at a time, between the samples around it.
function posesAt(slam, time) {
  const { times, states } = slam, rows = 7 * slam.pieces.length;
  let low = 0, high = times.length - 1;
  while (high - low > 1) {
    const middle = low + high >> 1;
    if (times[middle] <= time) low = middle; else high = middle;
  }
  const span = times[high] - times[low] || 1;
  const share = Math.min(Math.max((time - times[low]) / span, 0), 1);
  const poses = new Float32Array(rows);
  for (let k = 0; k < rows; k++) {
    poses[k] = (1 - share) * states[low * rows + k] + share * states[high * rows + k];
  }
  for (let k = 3; k < rows; k += 7) {
    const length = Math.hypot(poses[k], poses[k + 1], poses[k + 2], poses[k + 3]) || 1;
    for (let part = 0; part < 4; part++) poses[k + part] /= length;
  }
  return poses;
}

const clip = () => facts.clips[state.clip];
const several = facts.clips.length > 1 && !throwing;
// The track of a film has for each frame: time, azimuth, distance, and x, y, z of the target.
const ROW = 6;
const trackLength = () => clip().track.length / ROW;
const startOf = (of) => of.track[0];
const endOf = (of) => of.track[of.track.length - ROW];

// The place of a time on the track of a film, in frames, and back.
function frameOf(time) {
  const { track } = clip();
  let low = 0, high = trackLength() - 1;
  while (high - low > 1) {
    const middle = low + high >> 1;
    if (track[ROW * middle] <= time) low = middle; else high = middle;
  }
  const span = track[ROW * high] - track[ROW * low] || 1;
  return low + Math.min(Math.max((time - track[ROW * low]) / span, 0), 1) * (high - low);
}

function onTrack(frame, part) {
  const { track } = clip(), last = trackLength() - 1;
  const low = Math.min(Math.max(Math.floor(frame), 0), last), high = Math.min(low + 1, last);
  const share = Math.min(Math.max(frame - low, 0), 1);
  return (1 - share) * track[ROW * low + part] + share * track[ROW * high + part];
}

function cameraNow() {
  if (state.camera) return state.camera;
  const { cameras } = clip();
  if (state.view !== "follow") return cameras[state.view];
  const frame = frameOf(state.time);
  return {
    ...cameras.follow,
    azimuth: onTrack(frame, 1),
    distance: onTrack(frame, 2),
    target: turned([onTrack(frame, 3), onTrack(frame, 4), onTrack(frame, 5)]),
  };
}

// A place as it is shown: a page to throw in turns slams by quarters.
const turned = (place) => throwing ? throwing.turned(place) : place;

const atEnd = () => state.time >= endOf(clip()) - 1e-9;
const isDark = () => state.theme
  ? state.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
const colours = () => facts.themes[isDark() ? "dark" : "light"];
const flipsAt = (slam, time) => slam.pieces.filter(
  (piece) => piece.mark === "flipped" && (time >= piece.rest || atEnd())).length;
const counted = (flips) => `${flips || "NO"} ${flips === 1 ? "FLIP" : "FLIPS"}`;

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
  const scale = Math.min(devicePixelRatio || 1, 2);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight].map(
    (side) => Math.max(Math.round(side * scale), 1));
  if (canvas.width !== width || canvas.height !== height) {
    [canvas.width, canvas.height] = [width, height];
  }
  const { slams } = clip(), camera = cameraNow();
  const [columns, rows] = gridOf(slams.length);
  const [wide, high] = [Math.floor(width / columns), Math.floor(height / rows)];
  draw(slams.map((slam, k) => ({
    slam, camera,
    poses: throwing ? throwing.poses(slam) : posesAt(slam, state.time),
    glows: glowsAt(slam, state.time),
    box: [k % columns * wide, height - (Math.floor(k / columns) + 1) * high, wide, high],
  })), colours());
  showTexts(columns, rows);
}

function setText(id, text) {
  if ($(id).textContent !== text) $(id).textContent = text;
}

function showTexts(columns, rows) {
  const { slams, title } = clip(), many = slams.length > 1;
  setText("title", throwing ? throwing.title(title) : title);
  const engines = [...new Set(slams.map((slam) => slam.engine))].join(" and ");
  const flat = slams.some((slam) => !slam.inSpace);
  setText("engine", `${engines} engine, pucklab ${facts.version}`
    + (several ? `, ${state.clip + 1} of ${facts.clips.length}` : "")
    + (throwing ? throwing.told() : "")
    + (flat ? "; an older recording, without motion in space" : ""));
  const aims = throwing && throwing.aims;
  const flips = flipsAt(slams[0], state.time), shown = !many && !aims && (flips || atEnd());
  const text = !shown ? "" : !slams[0].hit ? "MISSED" : counted(flips);
  if ($("count").textContent !== text) {
    setText("count", text);
    $("count").className = flips ? "" : "none";
    void $("count").offsetWidth;   // restarts the animation
    if (flips) $("count").classList.add("new");
  }
  const panels = $("panels");
  panels.style.gridTemplate = `repeat(${rows}, 1fr) / repeat(${columns}, 1fr)`;
  const wanted = many ? slams.length : 0;
  while (panels.children.length > wanted) panels.lastChild.remove();
  while (panels.children.length < wanted) {
    panels.append(document.createElement("div"));
    panels.lastChild.append(document.createElement("span"), " ", document.createElement("b"));
  }
  [...panels.children].forEach((panel, k) => {
    const own = flipsAt(slams[k], state.time);
    panel.firstChild.textContent = slams[k].name;
    panel.lastChild.textContent = own || atEnd() ? counted(own).toLowerCase() : "";
  });
  const ms = 1000 * state.time;
  const slower = slowness();
  $("time").firstChild.textContent = `${ms.toFixed(Math.abs(ms) < 99.95 ? 1 : 0)} ms `;
  $("time").lastChild.textContent = atEnd() ? "" : slower < 1.05 ? "real time"
    : slower < 2.05 && slower > 1.95 ? "half speed" : `${Math.round(slower)} times slower`;
  $("scrub").value = Math.round(1000 * frameOf(state.time) / (trackLength() - 1));
  $("scrub").setAttribute("aria-valuetext", `${ms.toFixed(1)} milliseconds`);
  for (const [name, value] of Object.entries(colours())) {
    document.documentElement.style.setProperty(`--${name.replace("_", "-")}`, value);
  }
  document.documentElement.style.colorScheme = isDark() ? "dark" : "light";
  canvas.setAttribute("aria-label",
    `${title}: ${text ? text.toLowerCase() : `${ms.toFixed(0)} milliseconds`}`);
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
    } else if (several && state.clip + 1 < facts.clips.length) {
      resultLeft -= elapsed;
      if (resultLeft <= 0) show(state.clip + 1, true);
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
  if (on && throwing) throwing.aims = false;
  if (on && atEnd()) state.time = startOf(clip());
  state.playing = on;
  if (on && sounds) sounds.wake();
  label("play", on ? "pause" : "play", on ? "Pause (Space)" : "Play (Space)");
  dirty = true;
}

function show(index, playing) {
  state.clip = (index + facts.clips.length) % facts.clips.length;
  state.time = startOf(clip());
  showMarks();
  play(playing);
}

function seek(time) {
  state.time = Math.min(Math.max(time, startOf(clip())), endOf(clip()));
  play(false);
}

function turn(azimuth, elevation) {
  const camera = cameraNow();
  state.camera = {
    ...camera,
    azimuth: camera.azimuth + azimuth,
    elevation: Math.min(Math.max(camera.elevation + elevation, .05), Math.PI / 2),
  };
  $("view").value = "own";
  dirty = true;
}

function zoom(factor) {
  const camera = cameraNow();
  const distance = Math.min(Math.max(camera.distance / factor, 90), 2500);
  state.camera = { ...camera, distance };
  $("view").value = "own";
  dirty = true;
}

function setView(name) {
  if (name === "own") return;
  state.view = name;
  state.camera = null;
  $("view").value = name;
  dirty = true;
}

function nextView() {
  const names = ["follow", "above", "side"];
  setView(names[(names.indexOf(state.camera ? "side" : state.view) + 1) % names.length]);
}

function setSpeed(change) {
  const names = SPEEDS.map(([name]) => name);
  const index = names.indexOf(state.speed) + change;
  state.speed = names[Math.min(Math.max(index, 0), names.length - 1)];
  $("speed").value = state.speed;
  dirty = true;
}

function setTheme() {
  state.theme = isDark() ? "light" : "dark";
  dirty = true;
}

function setSound() {
  state.sound = !state.sound;
  if (sounds) sounds.wake();
  label("sound", state.sound ? "sound" : "mute", state.sound ? "Sound off (U)" : "Sound on (U)");
}

function fullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else if ($("player").requestFullscreen) $("player").requestFullscreen().catch(() => {});
}

function label(id, icon, hint) {
  const button = $(id);
  if (!button) return;
  button.title = hint;
  button.setAttribute("aria-label", hint);
  button.querySelector("path").setAttribute("d", ICONS[icon]);
}

// Marks on the scrub bar at the first contact and at the end of the impact.
function showMarks() {
  $("marks").replaceChildren();
  if (!clip().impactEnd) return;
  for (const time of [0, clip().impactEnd]) {
    const mark = document.createElement("i");
    const share = frameOf(time) / (trackLength() - 1);
    mark.style.left = `calc(${100 * share}% + ${8 - 16 * share}px)`;
    $("marks").append(mark);
  }
}

// Each action once: keys, line in the help, and button, if it has one.
const COMMANDS = [
  { keys: [" ", "k"], name: "Play or pause", run: () => play(!state.playing), id: "play",
    icon: "play" },
  { keys: ["r", "home"], name: "From the start", id: "restart", icon: "restart",
    run: () => { state.time = startOf(clip()); play(true); } },
  { keys: ["arrowleft"], name: "A step back", run: () => seek(state.time - STEP_S), id: "back",
    icon: "back", wide: true },
  { keys: ["arrowright"], name: "A step on", run: () => seek(state.time + STEP_S), id: "on",
    icon: "on", wide: true },
  { keys: ["end"], name: "To the end", run: () => seek(endOf(clip())) },
  { keys: ["p"], name: "Previous slam", run: () => show(state.clip - 1, true), id: "previous",
    icon: "previous", several: true },
  { keys: ["n"], name: "Next slam", run: () => show(state.clip + 1, true), id: "next",
    icon: "next", several: true },
  { keys: ["arrowup"], name: "Faster", run: () => setSpeed(-1) },
  { keys: ["arrowdown"], name: "Slower", run: () => setSpeed(1) },
  { keys: ["v"], name: "Next camera", run: nextView },
  { keys: ["0"], name: "Camera that follows", run: () => setView("follow") },
  { keys: ["a", "d"], name: "Turn the view",
    run: (key) => turn(key === "a" ? -.12 : .12, 0) },
  { keys: ["w", "s"], name: "Raise or lower the view",
    run: (key) => turn(0, key === "w" ? .08 : -.08) },
  { keys: ["+", "=", "-"], name: "Zoom", run: (key) => zoom(key === "-" ? 1 / 1.15 : 1.15) },
  { keys: ["u", "m"], name: "Sound", run: setSound, id: "sound", icon: "sound", right: true },
  { keys: ["l"], name: "Light or dark", run: setTheme, id: "theme", icon: "theme", right: true },
  { keys: ["f"], name: "Full screen", run: fullScreen, id: "full", icon: "full", right: true },
  ...throwing ? throwing.commands : [],
  { keys: ["h", "?"], name: "Keys", run: () => $("help").showModal(), id: "keyhelp", icon: "help",
    right: true },
];
const KEY_NAMES = {
  " ": "Space", arrowleft: "Left", arrowright: "Right", arrowup: "Up", arrowdown: "Down",
  home: "Home", end: "End",
};

function makeControls() {
  const buttons = $("buttons");
  const add = (command) => {
    const button = document.createElement("button");
    button.id = command.id;
    button.type = "button";
    if (command.wide) button.className = "wide";
    button.innerHTML = '<svg viewBox="0 0 24 24" aria-hidden="true"><path></path></svg>';
    button.onclick = () => command.run(command.keys[0]);
    buttons.append(button);
    label(command.id, command.icon, `${command.name} (${keysOf(command)[0]})`);
  };
  const choice = (id, name, options, changed) => {
    const select = document.createElement("select");
    select.id = id;
    select.setAttribute("aria-label", name);
    for (const [value, text] of options) select.add(new Option(text, value));
    select.onchange = () => { changed(select.value); select.blur(); };
    buttons.append(select);
  };
  const has = (command) => command.id && (!command.several || several);
  COMMANDS.filter((command) => has(command) && !command.right).forEach(add);
  const time = document.createElement("span");
  time.id = "time";
  time.append(document.createTextNode(""), document.createElement("span"));
  const space = document.createElement("span");
  space.className = "space";
  buttons.append(time, space);
  choice("speed", "Speed", SPEEDS, (value) => { state.speed = value; dirty = true; });
  choice("view", "Camera", [
    ["follow", "camera follows"], ["above", "from above"], ["side", "from the side"],
    ["own", "your own view"],
  ], setView);
  COMMANDS.filter((command) => has(command) && command.right).forEach(add);
  for (const command of COMMANDS) {
    if (command.several && !several) continue;
    const key = document.createElement("dt"), name = document.createElement("dd");
    key.textContent = keysOf(command).join(", ");
    name.textContent = command.name;
    $("keys").append(key, name);
  }
  $("scrub").oninput = (event) =>
    seek(onTrack(event.target.value / 1000 * (trackLength() - 1), 0));
}

function keysOf(command) {
  return command.keys.filter((key) => key !== "=").map((key) => KEY_NAMES[key]
    || key.toUpperCase());
}

function listen() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
    const place = event.target.tagName, key = event.key.toLowerCase();
    // The scrub bar and the lists have keys of their own, and Space presses a button.
    if (place === "SELECT") return;
    if (place === "INPUT" && (key.startsWith("arrow") || key === "home" || key === "end")) return;
    if (place === "BUTTON" && key === " ") return;
    const command = COMMANDS.find(({ keys }) => keys.includes(key));
    if (!command || (command.several && !several)) return;
    event.preventDefault();
    command.run(key);
  });
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
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { dirty = true; });
}

function fallBack(message) {
  canvas.hidden = $("controls").hidden = true;
  $("still").hidden = false;
  $("notice").textContent = message;
}

async function begin() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  for (const [name, value] of Object.entries(facts.themes[dark])) {
    document.documentElement.style.setProperty(`--${name.replace("_", "-")}`, value);
  }
  if (typeof DecompressionStream === "undefined") {
    return fallBack("This browser is too old to unpack the motion. The picture shows the end.");
  }
  const numbers = await unpack(facts.motion);
  facts.clips.forEach((own) => own.slams.forEach((slam) => restore(slam, numbers)));
  draw = await makeScene(canvas, facts);
  if (!draw) {
    return fallBack("This browser has no WebGL2 to draw the motion. The picture shows the end.");
  }
  sounds = makeSounds(facts);
  makeControls();
  listen();
  if (throwing) throwing.listen();
  canvas.hidden = $("controls").hidden = false;
  $("still").hidden = true;
  $("notice").replaceChildren();
  show(0, !throwing && !matchMedia("(prefers-reduced-motion: reduce)").matches);
  drawAll();
  requestAnimationFrame((now) => { last = now; tick(now); });
}

// For scripts and tests: the state, and functions that move it.
window.pucklab = {
  state, facts, advance, played: () => sounds ? sounds.played : null,
  seek, play, show, setView, turn, zoom, posesAt, drawAll, cameraNow, throwing,
};
window.pucklab.ready = begin().catch((error) => {
  fallBack("This browser cannot draw the motion. The picture shows the end.");
  console.error(error);
});
