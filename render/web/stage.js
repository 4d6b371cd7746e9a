// The arena as a part of a page of battles: it computes throws from their lines, or plays the motion that they carry.

/** Open the arena; `use` is that of `startArena`. Returns it with `clip(slam, more)`, which computes, and a notice. */
async function openStage(given, use) {
  const module = await openFacts(given), arena = await startArena(use);
  const pool = module && startWorkers(module, { engine: given.engine, most: 1, choose: () => null, counted() {}, failed() {} });
  return Object.assign(arena, {
    say, aimOf, inflate, pool,
    notice: [arena.isPlain ? "This browser has no WebGL2: throws are seen from above." : "",
      pool ? "" : "This browser has no WebAssembly: only how a throw ends is told."].filter(Boolean).join(" "),
    /** Let the stack of a line stand. */
    standAt: ({ line, faces }) => arena.stand(slamOf(readLine(line).scene, faces)),
    /** The clip of a throw of packed ones; an error says why there is none. */
    async clip(packed, k, more) {
      const { line, faces, slams } = packed.clips[k];
      if (slams) return carriedClip(packed, k, more);
      if (!pool) throw new InputError("this browser has no WebAssembly");
      const { scene, throwing, engine, version } = readLine(line);
      if (engine !== "solid" || version !== facts.physics) throw new InputError(`it is of engine ${engine}, version ${version}; reload the page`);
      const study = newStudy(scene, facts.throwers["most people"]);
      return clipOf(study, await pool.show(study, { throwing: throwBlock(throwing, scene.stack.length) }), { faces, ...more });
    },
  });
}
