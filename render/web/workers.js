// The page's workers: throws at scenes, counted, and motions that are shown. A motion goes before
// counting; a worker that dies, or takes too long, is started again.

const SLOWEST_MS = 5000, BATCH_MS = 80, MOST_WORKERS = 4;

/** @typedef {{key: string, scene: Scene, thrower: Object, block: Float64Array, tally: Tally, next: number,
 *   flips: number[], per: number, stopped: string}} Study A scene and a thrower, with what their throws came to. */
/** @typedef {{trials: number, left_out: number, hits: number, flips: number[], flips_by_place: number[], outs: number[],
 *   leaning: number, distance_um: number, slammers_out: number}} Tally */

function newStudy(scene, thrower) {
  const pieces = scene.stack.length, block = sceneBlock(scene), none = (size) => Array(size).fill(0);
  const tally = { trials: 0, left_out: 0, hits: 0, flips: none(pieces + 1), flips_by_place: none(pieces), outs: none(pieces + 1),
    leaning: 0, distance_um: 0, slammers_out: 0 };
  const key = `${Array.from(block).join()} ${throwerBlock(thrower).join()}`;
  return { key, scene, thrower, block, tally, next: 0, flips: [], per: 100, stopped: "" };
}

/** Add rows of results to a study's tally; the flips of each trial are kept, -1 for one left out. */
function countRows(study, first, rows) {
  const { tally, scene } = study, pieces = scene.stack.length, width = RESULT_NUMBERS + 3 * (pieces + 1);
  for (let k = 0; k < rows.length / width; k++) {
    const row = rows.subarray(k * width, (k + 1) * width), [hit, , start, peak, last] = row;
    const most = (1 + facts.blocks.tolerance) * start;
    tally.trials += 1;
    if (!(peak <= most && last <= most)) {   // the engine gained energy
      tally.left_out += 1;
      study.flips[first + k] = -1;
      continue;
    }
    let flips = 0, outs = 0;
    for (let b = 0; b <= pieces; b++) {
      const face = FACES[row[RESULT_NUMBERS + 3 * b]], x = row[RESULT_NUMBERS + 3 * b + 1], y = row[RESULT_NUMBERS + 3 * b + 2];
      if (b === pieces) tally.slammers_out += face === "out" ? 1 : 0;
      else {
        if (face === "up") { flips += 1; tally.flips_by_place[b] += 1; }
        if (face === "out") outs += 1; else tally.distance_um += Math.round(1000 * Math.sqrt(x * x + y * y));
        if (face === "leaning") tally.leaning += 1;
      }
    }
    tally.hits += hit;
    tally.flips[flips] += 1;
    tally.outs[outs] += 1;
    study.flips[first + k] = flips;
  }
}

/** Start the workers, as many as the machine has use for and at most `most`; `engine` is their script. `choose` returns the
 * study to go on with, or null; `counted` is told of each that has more throws. */
function startWorkers(module, { engine, most = MOST_WORKERS, choose, counted, failed }) {
  const url = URL.createObjectURL(new Blob([engine], { type: "text/javascript" }));
  const waiting = [], workers = [];
  let ids = 0;

  function start(place) {
    const worker = new Worker(url), own = { worker, job: null, clock: 0 };
    worker.postMessage({ module });
    worker.onmessage = ({ data }) => {
      const { job } = own;
      if (!job || data.id !== job.id) return;
      clearTimeout(own.clock);
      own.job = null;
      if (data.slam) job.done(data.slam);
      else {
        const { study, first, count } = job;
        study.per = .5 * study.per + .5 * (performance.now() - job.began) / count;
        countRows(study, first, data.rows);
        counted(study);
      }
      give(own);
    };
    worker.onerror = (event) => { event.preventDefault(); restart(place); };
    workers[place] = own;
    return own;
  }

  // A job whose worker died is tried once more; then its scene is left.
  function restart(place) {
    const { worker, job, clock } = workers[place];
    clearTimeout(clock);
    worker.terminate();
    const own = start(place);
    if (job && !job.again) hand(own, { ...job, again: true });
    else {
      if (job) fail(job);
      give(own);
    }
  }

  function fail(job) {
    const told = "a throw at this scene takes over 5 seconds here, so it was stopped";
    if (job.study) job.study.stopped = told;
    job.refuse?.(new InputError(told));
    failed(told);
  }

  function hand(own, job) {
    own.job = Object.assign(job, { began: performance.now(), id: ids += 1 });
    // An answer may wait behind the timer where the page itself was busy.
    const late = () => { own.job.again = true; restart(workers.indexOf(own)); };
    own.clock = setTimeout(() => { own.clock = setTimeout(late, 2000); }, SLOWEST_MS * (job.count || 1));
    own.worker.postMessage({ id: job.id, key: job.key, scene: job.scene, thrower: job.thrower, seed: job.seed, first: job.first,
      count: job.count, throwing: job.throwing, changes: job.changes, samples: job.samples });
  }

  function give(own) {
    if (own.job) return;
    const job = waiting.shift();
    if (job) return hand(own, job);
    const study = choose();
    if (!study) return;
    // The first throws come one by one, so that there is something to see at once.
    const count = study.next < workers.length ? 1 : Math.min(Math.max(Math.round(BATCH_MS / study.per), 1), 50), first = study.next;
    study.next += count;
    hand(own, { study, key: study.key, scene: study.block, thrower: throwerBlock(study.thrower), seed: facts.seed, first, count });
  }

  const many = Math.min(Math.max(navigator.hardwareConcurrency || 2, 1), most);
  for (let place = 0; place < many; place++) start(place);
  return {
    workers,
    wake: () => workers.forEach(give),
    /** Simulate one throw with its motion: a trial of a seed, with changes, or a throw's numbers. */
    show: (study, job) => new Promise((done, refuse) => {
      waiting.push({ ...job, key: study.key, scene: study.block, thrower: throwerBlock(study.thrower), samples: 4096, count: 0, study, done, refuse });
      workers.forEach(give);
    }),
  };
}
