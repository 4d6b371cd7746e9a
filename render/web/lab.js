// The Lab: the question, the throws that answer it, the arena, and the page's address.

const COUNTED = { first: 300, others: 200, compared: 600, all: 2000 };   // throws at which counting changes, and ends

let notice = "";   // what stands where nothing else is to be told

function tell(text) {
  $("notice").textContent = text || notice;
  $("notice").hidden = !(text || notice);
}

async function startLab() {
  const given = JSON.parse($("facts").textContent);
  const module = typeof DecompressionStream === "undefined" ? null : await openFacts(given);
  if (!module) return tell("This browser is too old for the Lab: it has no WebAssembly to compute slams with.");

  let question = { ...DEFAULTS }, study = null, others = [], rivals = [], asked = null, yours = [], shown = null, best = null, last = null, clips = 0, spoken = "";
  const studies = new Map(), luck = { seed: String(crypto.getRandomValues(new Uint32Array(1))[0]), trial: 0 };
  const arena = await startArena({
    aims: () => true, flicked: throwFlick, touched, ended: tellEnd,
    tapped: () => (arena.state.isDemo || arena.atEnd() ? touched() : arena.toggle()),
  });
  if (arena.isPlain) notice = "This browser has no WebGL2: slams are seen from above.";

  // In a page to learn it shows its throw, and asks nothing.
  const isFramed = self !== top;
  document.body.classList.toggle("framed", isFramed);
  const pool = startWorkers(module, {
    engine: $("engine").textContent,
    choose() {
      if (document.hidden || !study || isFramed) return null;
      if (study.next < COUNTED.first && !study.stopped) return study;
      const rival = rivals.find((one) => one.next < COUNTED.compared && !one.stopped);
      if (rival) return rival;
      const waiting = others.find((one) => one.next < COUNTED.others && !one.stopped);
      return waiting || (study.next < COUNTED.all && !study.stopped ? study : null);
    },
    counted(one) {
      if (one === study && study.tally.trials >= 120) playFirst();
      requestShow();
    },
    failed: tell,
  });

  function studyOf(from) {
    const { scene, thrower } = sceneOfQuestion(from), made = newStudy(scene, thrower);
    if (!studies.has(made.key)) {
      studies.set(made.key, made);
      // Throws that the page knows already, of the usual scene.
      const known = facts.thrown[general(from.slammer_g)], told = JSON.stringify({ ...DEFAULTS, ...from, slammer_g: 0 });
      if (known && told === JSON.stringify({ ...DEFAULTS, slammer_g: 0 })) {
        Object.assign(made, { tally: structuredClone(known.tally), next: known.flips.length, flips: [...known.flips].map((digit) => (digit === "-" ? -1 : parseInt(digit, 16))) });
      }
    }
    return studies.get(made.key);
  }

  // ---- what is asked

  function change(changes, isAtRest, field = "") {
    const next = { ...question, ...changes };
    try { studyOf(next); } catch (error) {
      if (!(error instanceof InputError)) throw error;
      tell(error.message);
      if (isAtRest) ask(question, true);
      return;
    }
    tell("");
    const isOther = Object.entries(changes).some(([name, value]) => question[name] !== value);
    if (isOther) [yours, rivals, asked, shown, best, last] = [[], [], null, null, null, null];
    ask(next, isAtRest);
    if (isOther) { standStill(); if (isAtRest) keepAddress(); }
    if (field) document.querySelector(`[data-name="${field}"]`)?.focus({ preventScroll: true });
  }
  globalThis.openOwn = openOwn;

  function ask(next, isAtRest) {
    question = next;
    study = studyOf(question);
    showQuestion(question, change);
    if (isAtRest) {
      const [low, high] = rangeOf(question, "slammer_g"), masses = low === 2 && high === 24 ? [2, 4, 6, 8, 12, 16, 20, 24]
        : [0, .15, .35, .6, 1].map((share) => Math.round(low + share * (high - low)));
      others = masses.map((slammer_g) => { try { return Object.assign(studyOf({ ...question, slammer_g }), { slammer_g }); } catch { return null; } }).filter(Boolean);
      study.slammer_g = question.slammer_g;
      const other = rivalWeight();
      $("compare").textContent = `Compare with ${general(other)} g`;
      pool.wake();
    }
    show();
  }

  const rivalWeight = () => {
    const [low, high] = rangeOf(question, "slammer_g"), usual = low === 2 && high === 24 ? [8, 20] : [Math.round((low + high) / 2), high];
    return usual.find((mass) => mass !== question.slammer_g);
  };

  /** Compare with another weight, or all weights with each other: throws first, then a sentence. */
  function compare(kind) {
    asked = kind;
    if (kind === "which") rivals = others;
    else {
      const slammer_g = rivalWeight();
      rivals = [study, Object.assign(studyOf({ ...question, slammer_g }), { slammer_g })];
    }
    pool.wake();
    show();
  }

  function showCompared(speak) {
    $("compared").hidden = !asked;
    if (!asked) return;
    const fewest = Math.min(...rivals.map(({ tally }) => tally.trials)), goal = COUNTED.compared, isDone = rivals.every((one) => one.next >= goal || one.stopped);
    let told = "";
    if (fewest >= 20) {
      const masses = rivals.map(({ slammer_g }) => slammer_g);
      told = sentence(asked === "which" ? oddsAnswer(rivals)
        : comparisonAnswer(masses.map((mass) => `${general(mass)} g`), rivals, Math.abs(Math.log(masses[0] / masses[1]))));
    }
    $("compared").textContent = `${told} ${isDone ? "" : `Throwing: ${fewest} of ${goal} ${asked === "which" ? "with each weight" : "with each"} …`}`.trim();
    if (isDone && speak !== told) $("spoken").textContent = told;
    return told;
  }

  function showCurve() {
    const range = rangeOf(question, "slammer_g"), [low, high] = range, seen = [...new Set([...others, study])].filter(({ tally }) => tally.trials - tally.left_out >= 20)
      .sort((a, b) => a.slammer_g - b.slammer_g);
    const points = seen.map((one) => ({ x: one.slammer_g, mean: meanOf(one.tally.flips).value, half: flipsHalfWidth(one.tally.flips) }));
    let line = [];
    if (seen.length > 1) {
      const [first, last] = [seen[0].slammer_g, seen.at(-1).slammer_g], fine = Array.from({ length: 41 }, (_, k) => first * (last / first) ** (k / 40));
      const { values } = curveOf(seen, [...fine, question.slammer_g]);
      line = [...fine, question.slammer_g].map((x, k) => ({ x, y: Math.max(values[seen.length + k], 0) })).sort((a, b) => a.x - b.x)
        .filter(({ x }) => x >= first && x <= last);
    }
    const belief = (x) => facts.belief.own[general(clamp(x, 2, 24))], isKnown = isUsual();
    const band = (x) => {
      const below = Math.floor(2 * x) / 2, share = 2 * (x - below), [a, b] = [belief(below), belief(below + .5)];
      return isKnown ? [0, 1].map((end) => a[end] + share * (b[end] - a[end])) : [1, 1];
    };
    drawCurve($("curve"), { points, line, band, range, weight: question.slammer_g, choose: (slammer_g, isAtRest) => change({ slammer_g }, isAtRest) });
  }

  const isUsual = () => [...study.scene.stack, study.scene.slammer].every(hasUsualMake) && !study.scene.arena.material;

  async function saveCsv() {
    const studies = [...new Set([study, ...(asked ? rivals : [])])].filter(({ tally }) => tally.trials - tally.left_out > 1);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([await csvText(studies)], { type: "text/csv" }));
    link.download = "odds.csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1e4);
  }

  let wasTouched = false;
  function touched() {
    wasTouched = true;
    shown = null;
    standStill();
  }

  function standStill() {
    arena.stand(slamOf(study.scene));
    $("again").textContent = yours.length ? "Throw again" : "Throw";
  }

  // ---- throws

  async function watch(job, more = {}) {
    const at = study;
    clips += 1;
    const clipNumber = clips;
    try {
      const slam = await pool.show(at, job);
      if (clipNumber !== clips) return null;
      const clip = clipOf(at, slam, more);
      shown = { ...job, line: job.throwing || job.changes ? writeLine({ scene: at.scene, throwing: throwOf(slam.throwing) }) : undefined, seed: job.seed, trial: job.first,
        text: writeLine({ scene: at.scene, throwing: throwOf(slam.throwing) }) };
      best = null;
      arena.play(clip, { isDemo: more.isDemo });
      $("again").textContent = "Throw again";
      return clip;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      tell(error.message);
      return null;
    }
  }

  /** Throw as flicked: along the line of the flick, which may pass beside the stack's middle. Tilt and spin are chance. */
  function throwFlick(flick) {
    const { speed, direction, x, y } = aimOf(flick, arena.state.still.top);
    const changes = [["speed_mm_s", 1000 * speed], ["direction_rad", direction], ["aim_x_mm", x], ["aim_y_mm", y]];
    throwMine({ seed: luck.seed, first: luck.trial++, changes: changes.map(([name, value]) => [facts.blocks.throw.indexOf(name), value]) });
  }

  async function throwMine(job) {
    const clip = await watch(job, { isMine: true });
    if (clip) { last = job; yours.push(flipsOf(clip)); keepAddress(); }
  }
  const throwAgain = () => throwMine({ seed: luck.seed, first: luck.trial++, changes: last?.changes });

  /** Before the first throw, the best one so far plays by itself. */
  function playFirst() {
    if (!arena.state.clip && !shown && !wasTouched && !reduced.matches && study.next >= 120) playBest(true);
  }

  function playBest(isDemo) {
    const most = Math.max(...study.flips.slice(0, study.next).filter((flips) => flips !== undefined)), trial = study.flips.indexOf(most);
    shown = { seed: String(facts.seed), trial };
    watch({ seed: String(facts.seed), first: trial }, { isDemo, caption: isDemo ? `the best of ${study.tally.trials} throws` : "" });
  }

  function playBar(flips) {
    const all = study.flips.flatMap((own, trial) => (own === flips ? [trial] : []));
    const at = all.findIndex((trial) => trial > (shown?.seed === String(facts.seed) && study.flips[shown.trial] === flips ? shown.trial : -1));
    watch({ seed: String(facts.seed), first: all[Math.max(at, 0)] }).then(() => keepAddress());
  }

  function bestFlip() {
    const { clip } = arena.state;
    if (!clip) return;
    if (!best) {
      const { slam } = clip, rows = 7 * slam.pieces.length;
      let most = 0, piece = -1;
      slam.pieces.slice(0, -1).forEach(({ mark }, b) => {
        if (mark !== "flipped") return;
        let turned = 0, high = 0;
        const normal = (k) => { const at = k * rows + 7 * b, [w, x, y, z] = slam.states.subarray(at + 3, at + 7); return [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]; };
        for (let k = 1; k < slam.times.length; k++) {
          const [a, c] = [normal(k - 1), normal(k)];
          turned += Math.acos(clamp(a[0] * c[0] + a[1] * c[1] + a[2] * c[2], -1, 1));
          high = Math.max(high, slam.states[k * rows + 7 * b + 2]);
        }
        if (turned * high > most) [most, piece] = [turned * high, b];
      });
      if (piece < 0) return say("nothing flipped in this throw");
      best = { ...clip, piece, from: slam.impactEnd, until: slam.pieces[piece].rest, pace: SLOW_FLIP, caption: "the flip that turned most" };
    }
    arena.play(best);
  }

  function tellEnd(clip, isDemo) {
    $("flips").textContent ||= "";
    const flips = flipsOf(clip), { tally } = study, trials = tally.trials - tally.left_out;
    const share = trials ? tally.flips.slice(flips).reduce((a, b) => a + b, 0) / trials : 1;
    const rare = trials >= 100 && flips > 1 && share < .3 ? `${rareWords(share)} do that` : "";
    const among = clip.isMine && yours.length > 1 && flips > 0 && flips === Math.max(...yours) ? `your best of ${yours.length} throws` : "";
    $("rare").textContent = isDemo ? clip.caption : [among, rare].filter(Boolean).join(" – ") || clip.caption || "";
    if (clip.isMine) { show(); $("spoken").textContent = $("flips").textContent; }
    if (isDemo) say("Flick over the stack to throw");
  }

  /** Show the slams that the page carries or names: their motion is played, or they are computed. */
  async function showCarried(packed) {
    const { clips: all } = packed, list = $("slams"), showOne = async (k) => {
      const own = all[k];
      if (own.line) {
        try {
          const slam = readLine(own.line);
          ask(questionOfLine(slam), true);
          if (!own.slams) { standStill(); return watch({ throwing: throwBlock(slam.throwing, slam.scene.stack.length), seed: "0", first: 0 }, { caption: own.title }); }
        } catch (error) { if (!(error instanceof InputError)) throw error; tell(error.message); }
      }
      clips += 1;
      shown = { line: own.line, text: own.line };
      best = null;
      arena.play(await carriedClip(packed, k, { caption: `${own.title}: recorded, ${own.slams[0].engine} engine` }));
    };
    all.forEach(({ title }, k) => list.add(new Option(title, k)));
    list.hidden = all.length < 2;
    list.onchange = () => showOne(Number(list.value));
    await showOne(0);
  }

  // ---- the answer

  let isAsked = false;
  function requestShow() {
    if (isAsked) return;
    isAsked = true;
    setTimeout(() => { isAsked = false; show(); }, 150);
  }

  function show() {
    const { tally } = study, trials = tally.trials - tally.left_out, isCounting = study.next < COUNTED.all && !study.stopped;
    $("live").classList.toggle("still", !isCounting);
    if (trials) {
      const { value } = meanOf(tally.flips), half = flipsHalfWidth(tally.flips), any = 1 - tally.flips[0] / trials;
      const told = value.toFixed(half < .06 ? 2 : 1).replace(/^1\.00?$/, (own) => own);
      $("mean").textContent = `${told} ${value === 1 ? "puck flips" : "pucks flip"}`;
      $("sure").textContent = `± ${half.toFixed(2)} from ${trials.toLocaleString("en")} throws${isCounting ? ", and counting" : ""}. ${shareWords(any)} at least one.`;
      if (!isCounting && spoken !== study.key) { spoken = study.key; $("spoken").textContent = sentence(oddsAnswer([study])); }
    } else {
      $("mean").textContent = "\u00a0";
      $("sure").textContent = study.stopped ? sentence(study.stopped) : "The first throws are on their way …";
    }
    drawBars($("bars"), tally.flips, yours, playBar);
    showCurve();
    lastTold = showCompared(lastTold);
    const [, , told, more] = isUsual() ? facts.belief.own[general(clamp(Math.round(2 * question.slammer_g) / 2, 2, 24))] : [0, 0, `${facts.belief.other}.`, ""];
    $("belief").textContent = told;
    $("why").textContent = `${more} ${more ? "The ranges come from the model's own uncertainty at 5 m/s with ten pucks: what is not known of pucks was varied, and other engines were asked." : ""} `
      + "No one has filmed and counted real throws yet, so the page tells what rigid discs do.";
    pool.wake();
  }
  let lastTold = "";


  // ---- the address, and sharing

  let isOpening = false;
  function keepAddress() {
    const address = `#${addressOf(question, shown)}`;
    if (!isFramed && !isOpening && location.hash !== address) history.pushState(null, "", address);
  }

  function open(text) {
    isOpening = true;
    try {
      const read = text ? readAddress(text) : { question: { ...DEFAULTS }, shown: null };
      yours = [];
      shown = read.shown;
      tell("");
      ask(read.question, true);
      standStill();
      if (!shown) playFirst();
      else watch(shown.throwing ? { throwing: throwBlock(shown.throwing, study.scene.stack.length), seed: "0", first: 0 } : { seed: shown.seed, first: shown.trial }).then(() => { isOpening = false; });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      ask({ ...DEFAULTS }, true);
      standStill();
      tell(error.message);
    } finally { isOpening = false; }
  }

  async function share() {
    if (!shown?.text) return say("Throw first: a link is a throw");
    const base = facts.site || location.href.replace(/#.*/, "");
    $("share-address").value = `${base}#${addressOf(question, shown)}`;
    $("share-line").value = shown.text;
    $("share-said").textContent = "";
    $("share-dialog").showModal();
  }

  const copy = (from) => async () => {
    $(from).select();
    try { await navigator.clipboard.writeText($(from).value); } catch { document.execCommand("copy"); }
    $("share-said").textContent = "Copied.";
  };

  function openOwn() {
    for (const name of ["puck_material", "slammer_material"]) {
      $("own-form").elements[name].replaceChildren(...Object.keys(facts.materials).map((own) => new Option(own, own)));
    }
    for (const field of $("own-form").elements) if (field.name) field.value = question[field.name] ?? (field.name.endsWith("material") ? "plastic" : "");
    $("own-said").textContent = "";
    $("own-dialog").showModal();
  }
  $("own-form").addEventListener("submit", (event) => {
    if (event.submitter?.value !== "take") return;
    event.preventDefault();
    const next = { ...question, base: undefined, pieces: "rulebook" };
    for (const { name, value } of $("own-form").elements) {
      if (!name) continue;
      const text = value.trim().replace(",", ".");
      next[name] = !text || text === "plastic" ? undefined : /material|arena/.test(name) ? text : Number(text);
    }
    next.slammer_g ??= question.slammer_g;
    try { studyOf(next); } catch (error) {
      if (!(error instanceof InputError)) throw error;
      $("own-said").textContent = error.message;
      return;
    }
    $("own-dialog").close();
    change(next, true);
  });

  const press = { again: throwAgain, best: bestFlip, share, own: openOwn, csv: saveCsv,
    compare: () => compare("with"), which: () => compare("which"),
    "copy-address": copy("share-address"), "copy-line": copy("share-line") };
  for (const [id, run] of Object.entries(press)) $(id).addEventListener("click", () => run());
  const keys = { ...arena.keys, t: throwAgain, enter: throwAgain, b: bestFlip, s: share };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (event.target !== document.body && event.target !== canvas) return;
    const run = keys[event.key.toLowerCase()];
    if (run) { event.preventDefault(); run(); }
  });
  const address = () => { try { return decodeURIComponent(location.hash.slice(1)); } catch { return location.hash.slice(1); } };
  addEventListener("popstate", () => open(address()));
  document.addEventListener("visibilitychange", () => { pool.wake(); arena.redraw(); });
  open(address() || facts.opening);
  if (facts.carried && !location.hash.slice(1)) await showCarried(facts.carried);
  // For tests and scripts.
  Object.defineProperties(window.pucklab, Object.getOwnPropertyDescriptors({ arena, pool, studies, counted: COUNTED, get question() { return question; }, get study() { return study; }, get shown() { return shown; }, get yours() { return yours; } }));
}

window.pucklab = {};
window.pucklab.ready = startLab();
