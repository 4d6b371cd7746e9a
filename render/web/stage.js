// The arena as a part of a page of battles: it computes throws from their lines, or plays the motion that they carry.

/** Open the arena; `use` is that of `startArena`. Returns it with `clip(packed, k, more)`, and a notice of what the browser lacks. */
async function openStage(given, use) {
  const module = await openFacts(given), arena = await startArena(use);
  const pool = module && startWorkers(module, { engine: given.engine, most: 1, choose: () => null, counted() {}, failed() {} });
  let isWarm = !pool;

  async function compute({ scene, throwing }, more) {
    const study = newStudy(scene, facts.throwers["most people"]);
    return clipOf(study, await pool.show(study, { throwing: throwBlock(throwing, scene.stack.length) }), more);
  }

  return Object.assign(arena, {
    say, aimOf, inflate, pool,
    notice: [arena.isPlain ? "This browser has no WebGL2: throws are seen from above." : "",
      pool ? "" : "This browser has no WebAssembly: it cannot show throws, only their results."].filter(Boolean).join(" "),
    /** Let the stack of a line stand. A first throw that nobody sees makes the browser compile what the next ones need. */
    standAt({ line, faces }) {
      const slam = readLine(line);
      arena.stand(slamOf(slam.scene, faces));
      if (!isWarm) compute(slam).catch(() => {});
      isWarm = true;
    },
    /** The clip of one of packed slams; an error says why there is none. */
    async clip(packed, k, more) {
      const { line, faces, slams } = packed.clips[k];
      if (slams) return carriedClip(packed, k, more);
      if (!pool) throw new InputError("this browser has no WebAssembly");
      const slam = readLine(line);
      if (slam.engine !== "solid" || slam.version !== facts.physics) throw new InputError(`it is of engine ${slam.engine}, version ${slam.version}; reload the page`);
      return compute(slam, { faces, ...more });
    },
  });
}
