// The arena: the stack with a slammer over it, flicks, and throws that are played. It shows clips: a slam with
// its samples, its pace and the path of its camera.

const FILM = { impact_slower: 250, settle_slower: 2, gains: [5.6, 4] };
const SLOW_FLIP = { impact_slower: 50, settle_slower: 6, gains: [5.6, 4] };
const VIEWS = [["follow", "Camera"], ["above", "From above"], ["side", "From the side"]];
const HOVER_MM = 26, HIDDEN_MM = -400;

const canvas = $("canvas");
const reduced = matchMedia("(prefers-reduced-motion: reduce)"), darkness = matchMedia("(prefers-color-scheme: dark)");
const say = (text) => put("said", text);
const isBox = (arena) => arena.box;
/** Show a text in an element, if the page has it. */
function put(id, text) {
  if ($(id) && $(id).textContent !== text) $(id).textContent = text;
}

/** What a slam of a scene looks like: its pieces, with pictures on the faces of the stack, and its box. */
function slamOf(scene, faces = []) {
  const { arena, stack, slammer } = scene, { energies } = facts;
  let pucks = 0;
  const pieces = [...stack, slammer].map((piece, k) => {
    const label = `${general(piece.mass_g, 4)} g`, isMetal = piece.kind === "Slammer";
    const face = isMetal ? label : faces[k] || energies[pucks++ % energies.length];
    return { half: piece.thickness_mm / 2, radius: piece.diameter_mm / 2, face, back: isMetal ? label : "back", metal: isMetal ? 1 : 0, mark: "", rest: 0 };
  });
  return { pieces, half: isBox(arena) ? arena.side_mm / 2 : Math.max(200, 1.1 * (arena.out_radius_mm || 0)), open: !isBox(arena),
    out: arena.out_radius_mm || 0, wall: isBox(arena) ? arena.wall_height_mm : 0 };
}

/** Complete a slam that has its samples: when pieces rest, its pace, its camera and its sounds. */
function makeClip(slam, impactEnd, faces, more) {
  const marks = { up: "flipped", leaning: "leaning", out: "out" }, last = slam.pieces.length - 1;
  slam.impactEnd = impactEnd;
  restTimes(slam).forEach((rest, k) => { slam.pieces[k].rest = rest; });
  if (faces) slam.pieces.forEach((piece, k) => { piece.mark = k < last || faces[k] === "out" ? marks[faces[k]] || "" : ""; });
  const rest = Math.max(...slam.pieces.map((piece) => piece.rest)), { times } = slam;
  const film = filmTimes(FILM, impactEnd, times[0], Math.min(rest, times.at(-1)), times.at(-1));
  return { slam, film, shots: followPath(slam, film), begin: times[0], end: times.at(-1), pace: FILM, ...more };
}

/** The clip of a throw that a worker has computed for a study. */
function clipOf({ scene, block }, { bodies, hit, throwing, ...samples }, { faces, ...more } = {}) {
  const own = slamOf(scene, faces), unit = block[facts.blocks.unit];
  takeSamples(own, samples, throwOf(throwing), unit);
  const end = Math.min(Math.sqrt(unit) * facts.blocks.impactS, own.times.at(-1)), impactEnd = Math.floor(end * 5000 * (1 + 1e-12)) / 5000;
  return makeClip(own, impactEnd, bodies.map(({ face }) => face), { hit, masses: [...scene.stack, scene.slammer].map(({ mass_g }) => mass_g), ...more });
}

/** The clip of one of packed slams, which carries its motion; all are unpacked once. */
async function carriedClip(packed, k, more) {
  const { slams: [slam], impactEnd, sounds } = packed.clips[k];
  Object.assign(facts.sounds.voices, packed.voices);
  packed.numbers ||= await unpack(packed.motion);
  if (!slam.times) restore(slam, packed.numbers, packed.steps);
  return makeClip(slam, impactEnd, null, { hit: slam.hit, sounds, ...more });
}

const flipsOf = ({ slam }) => slam.pieces.filter(({ mark }) => mark === "flipped").length;

/** Complete what Python writes into the page, with the engine; null in its place if the browser has none. */
async function openFacts(given) {
  facts = { ...given, ...JSON.parse(new TextDecoder().decode(await inflate(given.packed))) };
  for (const [name, material] of Object.entries(facts.materials)) material.name = name;
  for (const own of Object.values(facts.sets).flat()) if (own.material) own.material = facts.materials[own.material_name];
  try { return await WebAssembly.compile(await inflate(facts.wasm)); } catch (error) { console.error(error); return null; }
}

/** Return whether sound is on; the browser remembers it, if it keeps anything for this page. */
function keepSound(isOn) {
  try {
    if (isOn !== undefined) localStorage.setItem("sound", isOn);
    return localStorage.getItem("sound") !== "false";
  } catch { return isOn ?? true; }
}

/** Start the arena. `use` has: ended(clip, isDemo); for flicks aims(), whether one is wanted, flicked(flick), touched() before
 * one while a clip is shown, and tapped(). */
async function startArena(use) {
  let draw = null;
  try { draw = await makeScene(canvas, facts); } catch (error) { console.error(error); }
  const isPlain = !draw;
  if (isPlain) draw = makePlainScene(canvas, facts);
  const state = { clip: null, still: null, time: 0, playing: false, view: isPlain ? 1 : 0, camera: null, isSoundOn: keepSound(), isDemo: false, last: 0, told: false, detail: 1, frameMs: 16 };
  const sounds = makeSounds({ voices: facts.sounds.voices });
  $("sound")?.setAttribute("aria-pressed", state.isSoundOn);
  let dirty = true;

  const shownSlam = () => (state.clip ? state.clip.slam : state.still?.slam);
  const aspect = () => canvas.clientWidth / Math.max(canvas.clientHeight, 1);

  function cameraNow() {
    if (state.camera) return state.camera;
    const name = VIEWS[state.view][0], slam = shownSlam(), direction = facts.cameras[name];
    let own = { ...direction, azimuth: direction.azimuth + ((state.clip || state.still).turned || 0) }, half = slam.open ? Math.min(slam.half, 300) : slam.half + 6, height = slam.wall;
    const { clip } = state, isFlip = clip?.piece !== undefined;
    if (name === "follow" && !clip) [half, height] = [Math.max(state.still.top, 58), state.still.top + HOVER_MM + 20];
    else if (name === "follow") {
      const { film, shots } = clip, [low, high, share] = around(state.time, (k) => film[k], film.length);
      const [, side, tall, turned] = shots[low].map((part, k) => part + share * (shots[high][k] - part));
      [half, height, own] = [side, tall, { ...own, azimuth: own.azimuth + turned }];
      if (isFlip) {
        const at = posesAt(slam, state.time).subarray(7 * clip.piece, 7 * clip.piece + 3);
        return { ...framePoints(own, blockCorners(55, 70), aspect()), target: [at[0], at[1], at[2]] };
      }
    }
    return framePoints(own, blockCorners(half, height), aspect(), [.96, .74, .7]);
  }
  globalThis.cameraNow = cameraNow;   // flicks measure with it

  function glows(slam) {
    return slam.pieces.map((piece) => {
      if (!state.clip || !piece.mark || !(state.time >= piece.rest || atEnd())) return [0, 0, 0, 0];
      const since = atEnd() ? 1 : (state.time - piece.rest) / .25;
      return [...rgb(facts.colours[piece.mark]), .8 + .7 * Math.exp(-4 * since)];
    });
  }

  const atEnd = () => Boolean(state.clip) && state.time >= state.clip.end - 1e-9;

  function drawNow() {
    const slam = shownSlam();
    if (!slam) return;
    if (draw) drawSlam(slam);
    showClock();
  }

  function drawSlam(slam) {
    const scale = Math.min(devicePixelRatio || 1, 2) * (state.playing ? state.detail : 1);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((side) => Math.max(Math.round(side * scale), 1));
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    const poses = state.clip ? posesAt(slam, state.time) : state.still.poses;
    for (const k of state.clip ? state.gone : []) poses[7 * k + 2] = HIDDEN_MM;
    draw([{ slam, poses, glows: glows(slam), camera: cameraNow(), box: [0, 0, width, height] }],
      { ...facts.colours, background: darkness.matches ? "#14171b" : "#2c3138" });
  }

  function showClock() {
    const { clip } = state, [count, below] = (!clip || atEnd()) && state.words || [clip ? countAt(clip) : "", clip?.caption || ""];
    if ($("flips").textContent !== count) {
      put("flips", count);
      $("flips").className = "";
      if (count) { void $("flips").offsetWidth; $("flips").className = "new"; }
    }
    if (state.words || !clip || !atEnd()) put("rare", below);
    if (!$("clock")) return;
    const isPlaying = state.playing && !atEnd();
    $("play").setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    $("play").disabled = $("scrub").disabled = !clip;
    $("scrub").value = clip ? Math.round(1000 * frameOf(state.time) / (clip.film.length - 1)) : 0;
    if (clip) {
      const slower = slowerAt(clip.pace, clip.slam.impactEnd, state.time);
      put("pace", atEnd() ? "end" : slower < 1.05 ? "1:1" : `1/${Math.round(slower)}`);
      $("scrub").setAttribute("aria-valuetext", `${(1000 * state.time).toFixed(0)} milliseconds`);
    } else put("pace", "");
  }

  function countAt(clip) {
    const { slam } = clip, [flips, out] = ["flipped", "out"].map((mark) => slam.pieces.slice(0, -1)
      .filter((piece) => piece.mark === mark && (state.time >= piece.rest || atEnd())).length);
    if (!flips && !out && !atEnd()) return "";
    if (!clip.hit) return "missed";
    return `${flips || "no"} flip${flips === 1 ? "" : "s"}${out ? `, ${out} out` : ""}`;
  }

  const frameOf = (time) => {
    const { film } = state.clip, [low, high, share] = around(time, (k) => film[k], film.length);
    return low + share * (high - low);
  };
  const timeOf = (frame) => {
    const { film } = state.clip, low = clamp(Math.floor(frame), 0, film.length - 1), high = Math.min(low + 1, film.length - 1);
    return film[low] + clamp(frame - low, 0, 1) * (film[high] - film[low]);
  };

  function advance(elapsed) {
    const before = state.time, { clip } = state;
    if (clip.pace === FILM) state.time = timeOf(frameOf(before) + elapsed * TRACK_FPS);
    else state.time = Math.min(before + elapsed / slowerAt(clip.pace, clip.slam.impactEnd, before), clip.until ?? clip.end);
    if (sounds && state.isSoundOn && !state.isDemo) {
      const due = (clip.sounds ||= contactSounds(clip.slam, clip.masses, FILM, facts.sounds)).filter(([time]) => before < time && time <= state.time);
      const isChime = ([, voice]) => voice.startsWith("chime"), lower = Math.max(slowerAt(clip.pace, clip.slam.impactEnd, state.time) ** -.2, .3);
      const loudest = Math.max(0, ...due.filter((sound) => !isChime(sound)).map((sound) => sound[2]));
      for (const [time, voice, loudness, side] of due) {
        if (isChime([time, voice])) sounds.play(voice, loudness, side, 1);
        else if (loudness === loudest) sounds.play(voice, loudness, side, lower);
      }
    }
  }

  function tick(now) {
    const elapsed = Math.min((now - state.last) / 1000, .1);
    // Where pictures take long, they have fewer pixels while they move.
    if (state.playing) {
      state.frameMs += .1 * (Math.min(now - state.last, 1000) - state.frameMs);
      if (state.frameMs > 45 && state.detail > .35) [state.detail, state.frameMs] = [state.detail * (now - state.last > 250 ? .5 : .75), 30];
    }
    state.last = now;
    if (state.playing && state.clip) {
      advance(elapsed);
      dirty = true;
      if (atEnd() || state.time >= (state.clip.until ?? Infinity)) end();
    }
    if (dirty && !document.hidden) {
      dirty = false;
      drawNow();
    }
    requestAnimationFrame(tick);
  }

  function end() {
    state.playing = false;
    dirty = true;
    if (!state.told) { state.told = true; use.ended(state.clip, state.isDemo); }
  }

  const arena = {
    state, isPlain, atEnd, drawNow,
    redraw: () => { dirty = true; },
    /** Let a stack stand, with the slammer over it, the last of the pieces of a slam if it `hovers`. */
    stand(slam, { turned = 0, hovers = true } = {}) {
      const poses = new Float32Array(7 * slam.pieces.length), last = slam.pieces.length - (hovers ? 1 : 0);
      let top = 0;
      slam.pieces.forEach(({ half }, k) => {
        poses.set(k < last ? [0, 0, top + half, 0, 1, 0, 0] : [0, 0, top + HOVER_MM, Math.cos(.16), Math.sin(.16), 0, 0], 7 * k);
        top += k < last ? 2 * half : 0;
      });
      Object.assign(state, { still: { slam, poses, top, turned }, clip: null, playing: false, isDemo: false, camera: null });
      canvas.setAttribute("aria-label", `A stack of ${last} with a slammer over it${use.aims ? ". Flick to throw" : ""}`);
      dirty = true;
    },
    /** Leave out pieces of the clip that were taken up after it, by their places. */
    hide(gone) {
      state.gone = gone;
      dirty = true;
    },
    /** Tell the count of the last throw in other words, and something below it. */
    tell(...words) {
      state.words = words;
      dirty = true;
    },
    /** Play a clip from its beginning. */
    play(clip, { isDemo = false } = {}) {
      Object.assign(state, { clip, time: clip.from ?? clip.begin, playing: true, isDemo, told: false, words: null, gone: [], camera: null });
      if (sounds && !isDemo) sounds.wake();
      if (reduced.matches) { state.time = clip.until ?? clip.end; end(); }
      canvas.setAttribute("aria-label", `A throw: ${flipsOf(clip)} flips`);
      dirty = true;
    },
    toggle() {
      if (!state.clip) return;
      state.isDemo = false;
      if (atEnd() || state.time >= (state.clip.until ?? Infinity)) state.time = state.clip.from ?? state.clip.begin;
      state.playing = !state.playing;
      dirty = true;
    },
    seek(time) {
      if (!state.clip) return;
      Object.assign(state, { time: clamp(time, state.clip.begin, state.clip.end), playing: false, isDemo: false });
      if (atEnd()) end();
      dirty = true;
    },
    scrub: (share) => { if (state.clip) arena.seek(timeOf(share * (state.clip.film.length - 1))); },
    step: (seconds) => arena.seek(state.time + seconds),
    turn(azimuth, elevation) {
      const camera = cameraNow();
      state.camera = { ...camera, azimuth: camera.azimuth + azimuth, elevation: clamp(camera.elevation + elevation, .05, Math.PI / 2) };
      dirty = true;
    },
    zoom(factor) {
      const camera = cameraNow();
      state.camera = { ...camera, distance: clamp(camera.distance / factor, 90, 3000) };
      dirty = true;
    },
    nextView() {
      if (state.camera) state.camera = null; else state.view = (state.view + 1) % VIEWS.length;
      put("camera", VIEWS[state.view][1]);
      dirty = true;
    },
    switchSound() {
      state.isSoundOn = keepSound(!state.isSoundOn);
      $("sound")?.setAttribute("aria-pressed", state.isSoundOn);
      if (sounds) sounds.wake();
    },
    played: () => (sounds ? sounds.played : []),
  };
  /** What keys do, while the arena has them. */
  arena.keys = { " ": arena.toggle, k: arena.toggle, c: arena.nextView, m: arena.switchSound,
    arrowleft: () => arena.step(-.002), arrowright: () => arena.step(.002), home: () => arena.seek(-1), end: () => arena.seek(1e9),
    a: () => arena.turn(-.12, 0), d: () => arena.turn(.12, 0), "+": () => arena.zoom(1.15), "-": () => arena.zoom(1 / 1.15) };
  for (const [id, run] of Object.entries({ play: arena.toggle, camera: arena.nextView, sound: arena.switchSound })) $(id)?.addEventListener("click", run);
  $("scrub")?.addEventListener("input", () => arena.scrub($("scrub").value / 1000));

  const wake = () => { if (sounds) sounds.wake(); };
  for (const name of ["keydown", "pointerup"]) document.addEventListener(name, wake);
  canvas.addEventListener("webglcontextlost", (event) => {
    event.preventDefault();
    draw = null;
    say("The graphics of this browser stopped. Load the page again.");
    arena.seek(1e9);
  });
  if (use.flicked) listenToFlicks({
    aims: use.aims,
    moved: ({ speed }) => {
      if (state.clip) { use.touched(); }
      say(speed ? `${speed.toFixed(1)} m/s` : "");
    },
    thrown: (flick) => { say(""); use.flicked(flick); },
    tapped: () => { use.tapped(); return true; },
  });
  // Other buttons of a mouse turn the view, two fingers turn and pinch it.
  const pointers = new Map(), spread = () => { const [a, b] = [...pointers.values()]; return Math.hypot(a[0] - b[0], a[1] - b[1]); };
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("pointerdown", (event) => { pointers.set(event.pointerId, [event.clientX, event.clientY]); });
  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const was = pointers.size === 2 ? spread() : 0;
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    arena.turn(-.008 * (event.clientX - before[0]) / pointers.size, .008 * (event.clientY - before[1]) / pointers.size);
    if (was) arena.zoom(spread() / was);
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => pointers.delete(event.pointerId));
  canvas.addEventListener("wheel", (event) => { event.preventDefault(); arena.zoom(Math.exp(-.0012 * event.deltaY)); }, { passive: false });
  new ResizeObserver(arena.redraw).observe(canvas);
  darkness.addEventListener("change", arena.redraw);
  requestAnimationFrame((now) => { state.last = now; tick(now); });
  return arena;
}
