// What a worker of the page does: throws at scenes. It keeps the engine of the scene it had last.

/** Answer jobs; each is `{ id, scene, thrower, seed, first, count }` for trials, or has `throwing` (a throw's
 * numbers) or `changes` (numbers that a drawn throw gets instead) and `samples`, the room for its motion. */
function work(send) {
  let kernels = null, key = "", engine = null;
  return ({ module, ...job }) => {
    if (module) kernels = module;
    if (!job.scene) return;
    const own = job.key || "";
    if (!engine || own !== key) [engine, key] = [openEngine(kernels, job.scene, job.thrower), own];
    if (job.samples) {
      const throwing = job.throwing || engine.draw(job.seed, job.first);
      for (const [place, value] of job.changes || []) throwing[place] = value;
      const slam = engine.simulate({ throwing, samples: job.samples });
      send({ id: job.id, slam: { ...slam, timeS: slam.timeS.slice(), energyNj: null, poses: slam.poses.slice() } });
    } else send({ id: job.id, rows: engine.simulateMany(job.seed, job.first, job.count) });
  };
}

if (typeof WorkerGlobalScope !== "undefined") onmessage = ((answer) => ({ data }) => answer(data))(work((data) => postMessage(data)));
