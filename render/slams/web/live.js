// A player that a page around it feeds: it shows a stack, takes flicks, and plays slams as they come.
// Messages in: { stack, aims, words } to show a stack, { play } the address of a slam, { keys } of
// the page around. Messages out: { ready }, { flick }, { key } and { landed }.

const HOVER_MM = 28;
const outer = (message) => parent.postMessage(message, location.origin);

const mode = {
  lives: true,   // it goes on without a picture
  keys: [],
  stack: null,   // pieces, poses and cameras; shown while no slam is
  aim: { tilt: 0, x: 0, y: 0 },
  aims: false,

  still() { return this.stack; },
  poses(slam) { return posesAt(slam, state.time); },

  begin() {
    const clock = CLOCK.map((own) => ({ ...own, when: () => !mode.stack && own.when() }));
    makeControls([...clock, ...VIEWING]);
    $("scrub").oninput = (event) =>
      seek(onTrack(event.target.value / 1000 * (trackLength() - 1), 0));
    listenToFlicks({
      aims: () => this.aims && Boolean(this.stack),
      moved: ({ speed, direction }) => say(`${speed.toFixed(1)} m/s, `
        + `${Math.round(direction * 180 / Math.PI)}°, tilted ${this.aim.tilt}°`),
      thrown: ({ speed, direction, from }) => {
        if (!this.stack) return;   // it went while the pointer was down
        say("in the air ...");
        outer({ flick: { speed, direction, ...placeAt(from, this.stack.top) } });
      },
      tapped: () => {},
    });
    addEventListener("keydown", (event) => {
      const { key, repeat, target } = event;
      const isOwn = key.length > 1 || key === " " ? target.closest?.("button, input, select") : null;
      if (event.ctrlKey || event.metaKey || event.altKey || isOwn) return;
      if (!this.keys.includes(key.toLowerCase())) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      outer({ key, repeat });
    }, true);
    addEventListener("message", ({ origin, data }) => {
      if (origin === location.origin) this.take(data);
    });
    outer({ ready: true });
  },

  async take({ stack, play: address, aims, tilt, words, keys }) {
    if (keys) this.keys = keys;
    if (tilt !== undefined) this.aim.tilt = tilt;
    if (aims !== undefined) this.aims = aims;
    if (words !== undefined) say(words);
    if (stack) {
      play(false);
      this.stack = { ...stack, poses: new Float32Array(stack.poses) };
      for (const name of ["title", "about", "count"]) setText(name, "");
    }
    if (address) {
      this.aims = false;
      say("");
      await this.play(address).catch((error) => {
        say("this slam cannot be shown here");
        console.error(error);
        this.landed();
      });
    }
    $("scrub").disabled = Boolean(this.stack);
    showControls();
    dirty = true;
  },

  async play(address) {
    const sent = await (await fetch(address)).json();
    const numbers = await unpack(sent.motion);
    Object.assign(facts.voices, sent.voices);
    Object.assign(facts, { steps: sent.steps, clips: sent.clips });
    clip().slams.forEach((slam) => restore(slam, numbers, facts.steps));
    this.stack = null;
    setView(state.camera ? "own" : state.view);
    show(0, true);
    setText("title", clip().title);
    if (!draw) this.landed();
  },

  landed() { outer({ landed: true }); },
  ended() { play(false); },
  title: (title) => title,
  told: () => "",
};
