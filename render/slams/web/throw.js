"use strict";
// Throwing in the page: a flick plays the nearest of the computed throws, turned by quarters.

const HOVER_MM = 28;
const QUARTER = Math.PI / 2, M_S = 1, TURN = Math.PI / 4;   // differences that weigh the same

const mode = {
  aims: true, quarters: 0, throws: 0, flips: 0, best: 0,
  commands: [
    { keys: ["t", "enter"], name: "Throw again", icon: "hand",
      run: () => mode.ready() },
    { keys: ["g"], name: "Throw for me", run: () => mode.throwForMe() },
  ],

  // Turns a place by the quarters of the throw.
  turned([x, y, z]) {
    const [c, s] = [[1, 0], [0, 1], [-1, 0], [0, -1]][this.quarters];
    return [c * x - s * y, s * x + c * y, z];
  },

  poses(slam) {
    const time = this.aims ? startOf(clip()) : state.time;
    const poses = posesAt(slam, time), last = poses.length - 7;
    if (this.aims) {   // the slammer is held over the stack
      const top = 2 * slam.pieces.slice(0, -1).reduce((sum, piece) => sum + piece.half, 0);
      poses.set([0, 0, top + HOVER_MM, 1, 0, 0, 0], last);
      return poses;
    }
    const half = QUARTER * this.quarters / 2, [c, s] = [Math.cos(half), Math.sin(half)];
    for (let k = 0; k < poses.length; k += 7) {
      poses.set(this.turned(poses.subarray(k, k + 3)), k);
      const [w, x, y, z] = poses.subarray(k + 3, k + 7);
      poses.set([c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w], k + 3);
    }
    return poses;
  },

  title(title) {
    return this.aims ? "Flick over the stack to throw" : title;
  },

  told() {
    const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
    const now = this.throws && !this.aims && !atEnd();   // this throw is not over yet
    const flips = this.flips - (now ? this.last : 0), throws = this.throws - (now ? 1 : 0);
    const best = now ? this.bestBefore : this.best;
    return ` – ${counted(throws, "throw")}, ${counted(flips, "flip")}, best ${best}`;
  },

  ready() {
    Object.assign(this, { aims: true, quarters: 0 });
    play(false);
    state.clip = 0;
    state.time = startOf(clip());
    setView("follow");
    say("press and flick, in any direction; the faster the flick, the harder the throw");
    dirty = true;
  },

  // Plays the throw nearest in speed (m/s) and direction (radians from +x), and counts its flips.
  throwAt(speed, direction) {
    let best = null;
    facts.clips.forEach(({ slams: [{ throw: [own, angle] }] }, index) => {
      for (let quarters = 0; quarters < 4; quarters++) {
        const off = Math.atan2(Math.sin(angle + QUARTER * quarters - direction),
          Math.cos(angle + QUARTER * quarters - direction));
        const far = Math.hypot((own - speed) / M_S, off / TURN);
        if (!best || far < best.far) best = { far, index, quarters, own, off };
      }
    });
    const { slams: [slam] } = facts.clips[best.index];
    this.last = slam.pieces.filter(({ mark }) => mark === "flipped").length;
    this.bestBefore = this.best;
    this.best = Math.max(this.best, this.last);
    this.flips += this.last;
    this.throws += 1;
    Object.assign(this, { aims: false, quarters: best.quarters });
    const off = Math.abs(best.off * 180 / Math.PI).toFixed(0);
    say(`Your ${speed.toFixed(1)} m/s play the nearest of ${facts.clips.length} computed throws: `
      + `${best.own.toFixed(1)} m/s, ${off}° beside yours. Tap to throw again.`);
    show(best.index, true);
    return best;
  },

  // A throw at a speed and in a direction that go round evenly.
  throwForMe() {
    const round = (step) => (.5 + this.throws * step) % 1;
    this.throwAt(2 + 6 * round(.7548777), 2 * Math.PI * round(.5698403));
  },

  listen() {
    document.body.classList.add("throws");
    listenToFlicks({
      aims: () => this.aims,
      moved: ({ speed }) => say(`${speed.toFixed(1)} m/s`),
      thrown: ({ speed, direction }) => this.throwAt(speed, direction),
      tapped: () => this.ready(),
    });
    this.ready();
  },
};
