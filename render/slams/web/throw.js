"use strict";
// Throwing in the page: a flick plays the nearest of the computed throws, turned by quarters.

const SLOWEST_M_S = .8, FLICK_MS = 120, HELD_MS = 250, FRAME_MS = 16, TAP_PX = 6, HOVER_MM = 28;
const QUARTER = Math.PI / 2, M_S = 1, TURN = Math.PI / 4;   // differences that weigh the same

const mode = {
  aims: true, quarters: 0, trail: [], throws: 0, flips: 0, best: 0,
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

  // Speed and direction of the last part of the pointer's way, at a time; held still it has none.
  flick(now) {
    const last = this.trail.at(-1), begin = this.trail.findIndex(([t]) => t >= last[0] - FLICK_MS);
    const [t, x, y] = this.trail[Math.max(Math.min(begin, this.trail.length - 2), 0)];
    const [dx, dy] = [last[1] - x, y - last[2]];
    const length = now > last[0] + HELD_MS ? 0 : Math.hypot(dx, dy) / canvas.clientHeight;
    const speed = 1000 * length / Math.max(last[0] - t, FRAME_MS);
    // On the floor, up in the picture is away from the camera.
    const { azimuth } = cameraNow();
    return { speed, direction: Math.atan2(dy, dx) + azimuth + QUARTER };
  },

  listen() {
    document.body.classList.add("throws");
    const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    drawing.id = "flick";
    drawing.innerHTML = '<line style="display: none"></line>';
    $("space").append(drawing, $("said"));
    const line = drawing.firstChild;
    const stop = (event) => { event.stopImmediatePropagation(); event.preventDefault(); };
    const at = (event) => [event.timeStamp, event.offsetX, event.offsetY];
    let held = null, tapped = null;
    canvas.addEventListener("pointerdown", (event) => {
      tapped = this.aims ? null : [event.offsetX, event.offsetY];
      if (!this.aims || held !== null) return;
      stop(event);
      held = event.pointerId;
      canvas.setPointerCapture(held);
      this.trail = [at(event)];
    }, true);
    canvas.addEventListener("pointermove", (event) => {
      if (event.pointerId !== held) return;
      stop(event);
      this.trail.push(at(event));
      const [, x, y] = this.trail[0], [, a, b] = this.trail.at(-1), { speed } = this.flick(0);
      for (const [name, value] of Object.entries({ x1: x, y1: y, x2: a, y2: b })) {
        line.setAttribute(name, value);
      }
      line.style.display = "";
      say(`${Math.min(speed, 10).toFixed(1)} m/s`);
    }, true);
    for (const name of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(name, (event) => {
        const [x, y] = tapped || [1e9, 1e9];
        if (Math.hypot(event.offsetX - x, event.offsetY - y) < TAP_PX) this.ready();
        if (event.pointerId !== held) return;
        stop(event);
        held = null;
        line.style.display = "none";
        const { speed, direction } = this.flick(event.timeStamp);
        if (name === "pointercancel") say("");
        else if (speed >= SLOWEST_M_S) this.throwAt(Math.min(speed, 10), direction);
        else {
          say(`too slow, ${speed.toFixed(1)} m/s: a flick through the height of the picture in `
            + `a second is 1 m/s, and the slowest throw is ${SLOWEST_M_S} m/s`);
        }
      }, true);
    }
    this.ready();
  },
};
