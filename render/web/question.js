// The question: a sentence whose words can be changed by dragging, typing, arrow keys or a menu, and the scene
// and thrower that it means. Numbers have the names of the options of `pucklab odds`.

const KINDS = { rulebook: ["plastic puck", "plastic pucks"], pogs: ["cardboard pog", "cardboard pogs"], own: ["pog of my own", "pogs of my own"], line: ["such piece", "such pieces"] };
const OWN_SIZES = ["puck_diameter_mm", "puck_thickness_mm", "puck_material", "slammer_diameter_mm", "slammer_material"];
const DEFAULTS = { pieces: "rulebook", slammer_g: 20, pucks: 10, speed_m_s: 5, aim: "most people" };

/** The scene and the thrower of a question. @returns {{scene: Scene, thrower: Object}} */
function sceneOfQuestion(question) {
  const { usual, sets, throwers } = facts, number = (name, value) => {
    const [low, high, unit] = facts.fields[name];
    if (!Number.isFinite(value) || name === "pucks" && !Number.isInteger(value)) throw refusal(name, value, name === "pucks" ? `a whole number from ${low} to ${high}` : "a number");
    if (name === "pucks" && !(value >= low && value <= high)) throw refusal(name, value, `a whole number from ${low} to ${high}`);
    if (name === "speed_m_s") checkNumber(name, value, low, high, unit);
    return value;
  };
  const pucks = number("pucks", question.pucks), mass_g = number("slammer_g", question.slammer_g);
  const thrower = { ...throwers[question.aim], speed_mm_s: 1000 * number("speed_m_s", question.speed_m_s) };
  if (question.aim_sd_mm !== undefined) thrower.aim_sd_mm = question.aim_sd_mm;
  if (question.tilt_sd_deg !== undefined) thrower.tilt_sd_deg = question.tilt_sd_deg;
  checkRanges("ThrowDistribution", thrower);
  let materials = { ...usual.Materials }, stack, slammer;
  let arena = makeArena(question.arena === "none" ? { box: false, out_radius_mm: question.out_radius_mm ?? null }
    : question.arena === undefined ? {} : { side_mm: Number(question.arena) });
  if (question.base) {
    ({ arena, materials } = question.base);
    slammer = question.base.slammer.mass_g === mass_g ? question.base.slammer : shapePiece(question.base.slammer, { mass_g });
    stack = Array.from({ length: pucks }, (_, k) => question.base.stack[k % question.base.stack.length]);
  } else {
    let [puck, set] = sets[question.pieces === "own" ? "rulebook" : question.pieces];
    const sizes = (kind) => Object.fromEntries(OWN_SIZES.filter((name) => name.startsWith(kind) && question[name] !== undefined)
      .map((name) => [name.slice(kind.length + 1), name.endsWith("material") ? facts.materials[question[name]] : question[name]]));
    const own = sizes("puck"), its = sizes("slammer");
    if (Object.keys(own).length) puck = shapePiece({ ...puck, kind: "Puck" }, own);
    slammer = shapePiece({ ...set, kind: "Slammer" }, { mass_g, ...its });
    stack = Array(pucks).fill(makePiece("Puck", puck));
  }
  return { scene: checkScene({ slammer, stack, arena, materials }), thrower };
}

/** The range of a number of the question, as its word is dragged. */
function rangeOf(question, name) {
  const [low, high, , ownLow] = facts.fields[name];
  if (name !== "slammer_g" || question.pieces === "rulebook" && !question.base) return [low, high];
  const { slammer } = sceneOfQuestion(question).scene, { make } = facts, density = (slammer.material || facts.usual.Material).density_g_cm3 / 1000;
  const area = Math.PI * slammer.diameter_mm ** 2 / 4, thick = Math.min(make.thicknessesMm[1], slammer.diameter_mm / 2, 5);
  return slammer.material ? [Math.max(Math.ceil(density * area * .4), 1), Math.floor(density * area * thick)] : [Math.max(low, ownLow ?? low), high];
}

/** Write the sentence; `change` gets the names and values that a word is changed to, and whether it is at rest. */
function showQuestion(question, change) {
  const place = $("ask"), { throwers } = facts, pucks = question.pucks;
  const number = (name, step, form, about) => {
    const word = document.createElement("span"), [low, high] = rangeOf(question, name), value = question[name];
    word.className = "word";
    word.tabIndex = 0;
    word.dataset.name = name;
    word.textContent = form(value);
    for (const [key, own] of Object.entries({ role: "spinbutton", "aria-label": about, "aria-valuenow": value, "aria-valuemin": low, "aria-valuemax": high, "aria-valuetext": form(value), title: "Drag, type, or use the arrow keys" })) word.setAttribute(key, own);
    const fit = (own) => clamp(Number((Math.round(own / step) * step).toFixed(6)), low, high);
    word.addEventListener("keydown", (event) => {
      const turns = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 5, PageDown: -5 }[event.key];
      if (turns) { event.preventDefault(); change({ [name]: fit(question[name] + turns * step) }, true); }
      else if (/^[0-9.]$/.test(event.key)) { event.preventDefault(); type(event.key); }
      else if (event.key === "Enter") { event.preventDefault(); type(general(question[name])); }
    });
    word.addEventListener("pointerdown", (event) => {
      const begin = event.clientX, from = question[name];
      let moved = false;
      word.setPointerCapture(event.pointerId);
      word.onpointermove = (own) => {
        if (!moved && Math.abs(own.clientX - begin) < 4) return;
        moved = true;
        change({ [name]: fit(from + Math.round((own.clientX - begin) / 9) * step) }, false);
      };
      word.onpointerup = word.onpointercancel = () => {
        word.onpointermove = word.onpointerup = null;
        if (moved) change({}, true); else type(general(question[name]));
      };
    });
    function type(text) {
      const field = document.createElement("input");
      Object.assign(field, { className: "word", value: text, inputMode: "decimal" });
      field.setAttribute("aria-label", about);
      word.replaceWith(field);
      field.focus();
      if (text.length > 1) field.select();
      const done = () => {
        const own = Number(field.value.replace(",", ".").replace(/\s*[a-z/]+$/i, ""));
        field.onblur = null;
        change(field.value.trim() ? { [name]: own } : {}, true, name);
      };
      field.onblur = done;
      field.onkeydown = (event) => {
        event.stopPropagation();
        if (event.key === "Enter") done();
        if (event.key === "Escape") { field.onblur = null; change({}, true, name); }
      };
    }
    return word;
  };
  const choice = (name, options, value, about, chosen) => {
    const word = document.createElement("select");
    Object.assign(word, { className: "word" });
    word.dataset.name = name;
    word.setAttribute("aria-label", about);
    for (const [own, text] of options) word.add(new Option(text, own, false, own === value));
    word.onchange = () => chosen(word.value);
    return word;
  };
  const had = document.activeElement?.dataset?.name, isDragged = place.querySelector(".word:active");
  if (isDragged && isDragged.dataset.name in question) {   // it keeps the pointer
    isDragged.textContent = place.forms[isDragged.dataset.name](question[isDragged.dataset.name]);
    return;
  }
  place.forms = { slammer_g: (own) => `${general(own)} g`, pucks: String, speed_m_s: (own) => `${general(own)} m/s` };
  const kinds = ["rulebook", "pogs", "own", ...(question.base ? ["line"] : [])].map((kind) => [kind, KINDS[kind][pucks === 1 ? 0 : 1]]);
  const kind = question.base ? "line" : isOwn(question) ? "own" : question.pieces;
  place.replaceChildren("I throw a ", number("slammer_g", 1, place.forms.slammer_g, "Weight of the slammer in grams"), " slammer at ",
    number("pucks", 1, place.forms.pucks, "Number of pucks"), " ",
    choice("pieces", kinds, kind, "What they are", (own) => (own === "own" ? openOwn() : own !== "line" && change(kindChange(own), true))), ", ",
    number("speed_m_s", .5, place.forms.speed_m_s, "Speed of the throw in meters per second"), " hard, as ",
    choice("aim", Object.keys(throwers).map((own) => [own, own]), question.aim, "Aim", (aim) => change({ aim, aim_sd_mm: undefined, tilt_sd_deg: undefined }, true)), " aim.");
  if (had) place.querySelector(`[data-name="${had}"]`)?.focus({ preventScroll: true });
}

const isOwn = (question) => question.arena !== undefined || OWN_SIZES.some((name) => question[name] !== undefined);

/** What changes with the kind of pieces: those of one's own go, and the slammer is of the set's weight. */
function kindChange(pieces) {
  const gone = Object.fromEntries([...OWN_SIZES, "arena", "out_radius_mm", "base"].map((name) => [name, undefined]));
  return { ...gone, pieces, slammer_g: pieces === "pogs" ? facts.sets.pogs[1].mass_g : DEFAULTS.slammer_g };
}

// ---- the address: numbers by their names, or a line

const TOLD = ["pieces", "slammer_g", "pucks", "speed_m_s", ...OWN_SIZES, "arena", "out_radius_mm", "aim", "aim_sd_mm", "tilt_sd_deg"];

/** The address of a question and a throw: a trial of a seed, or the throw's line. */
function addressOf(question, shown) {
  if (shown?.line) return shown.line;
  const parts = TOLD.filter((name) => question[name] !== undefined && question[name] !== DEFAULTS[name]).map((name) => [name, question[name]]);
  if (!parts.some(([name]) => name === "slammer_g")) parts.unshift(["slammer_g", question.slammer_g]);
  if (shown?.trial !== undefined) parts.push(["seed", String(shown.seed)], ["trial", String(shown.trial)]);
  return String(new URLSearchParams(parts)).replaceAll("+", "%20");
}

/** Read an address. @returns {{question: Object, shown: ?Object}} */
function readAddress(text) {
  if (text.length > facts.line.longest) throw new InputError(`address: ${text.length} characters are not accepted; give at most ${facts.line.longest}`);
  if (/^["']?th1:/.test(text)) {
    const slam = readLine(text, "address");
    if (slam.engine !== "solid" || slam.version !== facts.physics) {
      throw new InputError(`address: a throw of ${slam.engine} physics ${slam.version} is not accepted; this page computes solid ${facts.physics}, and another may end otherwise`);
    }
    return { question: questionOfLine(slam), shown: { line: writeLine(slam), throwing: slam.throwing } };
  }
  const question = { ...DEFAULTS }, given = new URLSearchParams(text);
  let seed = null, trial = null;
  for (const [name, value] of given) {
    const whole = () => { if (!/^\d{1,38}$/.test(value)) throw refusal(name, value, "a whole number"); return value; };
    if (name === "seed") seed = whole();
    else if (name === "trial") trial = Number(whole());
    else if (name === "pieces") { if (!(value in facts.sets)) throw refusal(name, value, `one of ${Object.keys(facts.sets).join(", ")}`); question.pieces = value; }
    else if (name === "aim") { if (!(value in facts.throwers)) throw refusal(name, value, `one of ${Object.keys(facts.throwers).join(", ")}`); question.aim = value; }
    else if (name.endsWith("_material")) { if (!(value in facts.materials)) throw refusal(name, value, `one of ${Object.keys(facts.materials).join(", ")}`); question[name] = value; }
    else if (name === "arena" && value === "none") question.arena = value;
    else if (TOLD.includes(name)) { if (!/^\d+\.?\d*$|^\.\d+$/.test(value)) throw refusal(name, value, "a number"); question[name] = Number(value); }
    else throw refusal("address", name, `one of ${TOLD.join(", ")}, seed, trial`);
  }
  if (question.pieces === "pogs" && !given.has("slammer_g")) question.slammer_g = facts.sets.pogs[1].mass_g;
  sceneOfQuestion(question);
  if (trial !== null && trial >= 2 ** 32) throw refusal("trial", trial, "a whole number below 4294967296");
  if (seed !== null && BigInt(seed) >= 1n << 128n) throw new InputError("seed: give a whole number below 2^128");
  return { question, shown: trial === null ? null : { seed: seed ?? String(facts.seed), trial } };
}

/** The question that a line's scene answers: by its numbers where they make this scene, else with the scene itself. */
function questionOfLine({ scene, throwing }) {
  const { slammer, stack } = scene, common = { ...DEFAULTS, slammer_g: slammer.mass_g, pucks: stack.length, speed_m_s: throwing.speed_mm_s / 1000 };
  for (const pieces of Object.keys(facts.sets)) {
    const question = { ...common, pieces, ...(scene.arena.box ? {} : { arena: "none", out_radius_mm: scene.arena.out_radius_mm ?? undefined }) };
    try {
      if (sceneBlock(sceneOfQuestion(question).scene).join() === sceneBlock(scene).join()) return question;
    } catch (error) { if (!(error instanceof InputError)) throw error; }
  }
  return { ...common, base: scene };
}
