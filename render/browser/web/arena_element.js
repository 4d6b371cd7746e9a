// The Lab's arena as a part of a table's page: it shows the stack that the server tells of, takes flicks, and computes each
// throw from its line. What a throw comes to is the server's to say; the page tells only that it has shown it.
const HELD_MS = 1300, NOT_SHOWN = "This browser cannot show throws here; the table goes on in words.";

export default {
  template: `<div class="pucklab-arena"></div>`,
  props: { address: String, html: String },
  async mounted() {
    this.waiting = [];
    this.flying = -1;      // number of the throw that is shown, or was last
    this.isLanded = true;
    this.next = null;      // the stack that comes after the throw's end has been seen
    this.$el.innerHTML = this.html;
    const find = (id) => this.$el.querySelector(`#${id}`);
    this.tell = (text) => { find("trouble").textContent = text; };
    try {
      const { openArena } = await import(this.address);
      this.arena = await openArena({
        aims: () => { if (this.next?.aims) this.stand(); return Boolean(this.aims); },
        flicked: (flick) => {
          const { speed, direction, x, y } = this.arena.aimOf(flick, this.arena.state.still.top);
          this.aims = false;
          this.arena.say("In the air …");
          this.$emit("flick", { speed, direction, x, y, step: this.step });
        },
        touched() {},
        tapped: () => { if (!this.isLanded) this.arena.seek(1e9); else if (this.next) this.stand(); },
        ended: () => this.land(this.flying),
      });
      this.tell(this.arena.notice);
      window.pucklab = { arena: this.arena };   // for tests and scripts
      find("canvas").addEventListener("keydown", (event) => {
        const run = this.arena.keys[event.key.toLowerCase()];
        if (!run || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        event.stopPropagation();
        run();
      });
      // Nobody sees a throw in a hidden page.
      this.hide = () => { if (document.hidden) this.arena.seek(1e9); this.arena.redraw(); };
      document.addEventListener("visibilitychange", this.hide);
    } catch (error) {
      console.error(error);
      this.arena = null;
      this.tell(NOT_SHOWN);
    }
    const { waiting } = this;
    this.waiting = null;
    waiting.forEach(this.send);
  },
  unmounted() { document.removeEventListener("visibilitychange", this.hide); },
  methods: {
    send(message) {
      if (this.waiting) return this.waiting.push(message);
      if (message.slam) this.play(message.slam);
      if (!message.stack) return;
      if (!this.isLanded) {   // the table goes on without this page
        this.arena?.seek(1e9);
        this.land(this.flying);
      }
      this.next = message.stack;
      clearTimeout(this.clock);
      const wait = this.seen ? this.seen + HELD_MS - performance.now() : 0;
      if (wait > 0) this.clock = setTimeout(() => this.stand(), wait); else this.stand();
    },
    stand() {
      clearTimeout(this.clock);
      [this.aims, this.step] = [this.next.aims, this.next.step];
      this.arena?.standAt(this.next);
      this.next = null;
      this.arena?.say("");
    },
    async play({ number, title, words, ...packed }) {
      clearTimeout(this.clock);
      Object.assign(this, { flying: number, isLanded: false, aims: false, next: null });
      if (!this.arena) return this.land(number);
      this.arena.say("");
      try {
        const clip = await this.arena.clip(packed, 0, { caption: title });
        if (number !== this.flying || this.isLanded) return;   // the table has gone on
        this.arena.play(clip);
        this.arena.tell(...words);
        if (document.hidden) this.arena.seek(1e9);
      } catch (error) {
        console.error(error);
        if (number !== this.flying) return;
        this.arena.say(`This throw is not shown here: ${error.message}.`);
        this.land(number);
      }
    },
    land(number) {
      if (this.isLanded || number !== this.flying) return;
      [this.isLanded, this.seen] = [true, performance.now()];
      this.$emit("landed", { step: number });
    },
  },
};
