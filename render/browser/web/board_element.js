// A board as a part of a page; the class Board of board.js draws it.
export default {
  template: `<svg class="pucklab-board" tabindex="0" role="img" xmlns="http://www.w3.org/2000/svg">
    <defs></defs><g class="names"></g><g class="mats"></g><g class="trails"></g>
    <g class="pieces"></g><g class="marks"></g></svg>`,
  props: { inks: Object },
  mounted() {
    this.board = new Board(this.$el, this.inks);
    this.board.listen(({ x, y }, end, direction) => this.$emit(
      "press", { x, y, endX: end.x, endY: end.y, direction }));
  },
  methods: {
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
    mark(marks) { this.board.mark(marks); },
  },
};
