// The player of slams as a part of a page; it tells of flicks and of slams that are over.
export default {
  template: `<iframe class="pucklab-slam" title="the slam" allow="autoplay; fullscreen"></iframe>`,
  props: { address: String },
  mounted() {
    this.waiting = [];
    this.take = ({ source, origin, data }) => {
      if (source !== this.$el.contentWindow || origin !== location.origin) return;
      if (data.ready) {
        const { waiting } = this;
        this.waiting = null;
        this.send({ keys: window.pageKeys });
        waiting.forEach(this.send);
      }
      if (data.flick) this.$emit("flick", { ...data.flick, step: this.step });
      if (data.landed) this.$emit("landed");
      if (data.key) document.dispatchEvent(new KeyboardEvent("keydown", data));
    };
    addEventListener("message", this.take);
    this.$el.src = this.address;
  },
  unmounted() { removeEventListener("message", this.take); },
  methods: {
    send(message) {
      if (this.waiting) {
        this.waiting.push(message);
        return;
      }
      if (message.stack) this.step = message.step;
      this.$el.contentWindow.postMessage(message, location.origin);
    },
  },
};
