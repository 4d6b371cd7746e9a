// A board as a part of a page; the class Board of board.js draws it. Squares with something to
// choose are stops of the keyboard: Enter or Space presses one, an arrow sends the piece on it.
const KEYS = ["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"];

export default {
  template: `<svg class="pucklab-board" role="group" aria-roledescription="board"
    xmlns="http://www.w3.org/2000/svg">
    <defs></defs><g class="names" aria-hidden="true"></g><g class="mats" aria-hidden="true"></g>
    <g class="trails"></g><g class="pieces"></g><g class="marks"></g><g class="stops"></g></svg>`,
  props: { inks: Object },
  mounted() {
    this.board = new Board(this.$el, this.inks);
    this.board.listen((begin, end, direction) => this.press(begin, end, direction));
  },
  methods: {
    press(begin, end, direction) {
      this.$emit("press", { x: begin.x, y: begin.y, endX: end.x, endY: end.y, direction });
    },
    draw(item, shapes, label) {
      this.$el.querySelector("defs").innerHTML = shapes;
      this.$el.setAttribute("aria-label", label);
      this.board.draw(item);
    },
    change(change, shapes, view, label) {
      this.$el.querySelector("defs").innerHTML = shapes;
      this.$el.setAttribute("viewBox", view.join(" "));
      this.$el.setAttribute("aria-label", label);
      this.board.change(change, true);
    },
    celebrate() { this.board.celebrate(); },
    mark(marks) {
      const group = this.$el.querySelector(".stops"), last = document.activeElement;
      const held = group.contains(last) && last.getAttribute("transform");
      this.board.mark(marks);
      group.replaceChildren();
      for (const [x, y, words, kind] of marks.stops) {
        const stop = make("rect", { x: -.5, y: -.5, width: 1, height: 1, role: "button",
          tabindex: 0, "aria-label": words, transform: `translate(${x} ${y})` }, group);
        if (kind === "chosen") stop.setAttribute("aria-pressed", true);
        stop.onkeydown = (event) => {
          const way = KEYS.indexOf(event.key), sends = way >= 0 && kind === "piece";
          if (!sends && ![" ", "Enter"].includes(event.key)) return;
          event.preventDefault();
          event.stopPropagation();
          const [dx, dy] = sends ? STEPS[way] : [0, 0];
          this.press({ x, y }, { x: x + dx, y: y + dy }, sends ? way : null);
        };
      }
      if (!held) return;
      const stops = [...group.children];
      const here = stops.find((stop) => stop.getAttribute("transform") === held);
      (here || group.querySelector("[aria-pressed]") || stops[0])?.focus();
    },
  },
};
