// A board in SVG: mats and pieces that move, marks, clicks and drags. Places are in spaces,
// x eastward and y southward; a piece is found by the place it stands on.

const VANISH_MS = 350;
const STEPS = [[0, -1], [1, 0], [0, 1], [-1, 0]];
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
const same = (x, y, a, b) => Math.abs(x - a) < .01 && Math.abs(y - b) < .01;
const at = (x, y, quarters = 0) => `translate(${x}px,${y}px) rotate(${90 * quarters}deg)`;

function make(tag, attributes, parent) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  parent.append(element);
  return element;
}

class Board {
  // `inks` are colours by name. The svg has groups of the classes names, mats, trails, pieces, marks.
  constructor(svg, inks) {
    Object.assign(this, { svg, inks, pieces: [], mats: [], pressed: null });
    for (const name of ["names", "mats", "trails", "pieces", "marks"]) {
      this[`${name}Group`] = svg.querySelector(`.${name}`);
    }
  }

  pieceAt(x, y) {
    return this.pieces.find((piece) => same(x, y, piece.x, piece.y));
  }

  addPiece(code, x, y) {
    const element = make("use", { href: `#pb-${code}` }, this.piecesGroup);
    element.style.transform = at(x, y);
    this.pieces.push({ code, x, y, element });
  }

  removePiece(piece) {
    this.pieces = this.pieces.filter((other) => other !== piece);
    return piece.element;
  }

  setNames(names) {
    this.namesGroup.replaceChildren();
    for (const [name, x, y] of names) {
      make("text", { x, y, "font-size": .42, fill: this.inks.faint }, this.namesGroup)
        .textContent = name;
    }
  }

  draw({ view, names, mats, pieces }) {
    this.svg.setAttribute("viewBox", view.join(" "));
    for (const name of ["mats", "pieces", "trails", "marks"]) this[`${name}Group`].replaceChildren();
    this.setNames(names);
    this.mats = mats.map(([label, size, x, y, quarters]) => {
      const shape = make("use", { href: `#pb-${label}` }, this.matsGroup);
      const words = make("text", { "font-size": .3, fill: this.inks.start }, this.matsGroup);
      const mat = { shape, words, size, quarters };
      this.setMat(mat, label, x, y, quarters);
      return mat;
    });
    this.pieces = [];
    for (const piece of pieces) this.addPiece(...piece);
  }

  setMat(mat, label, x, y, quarters) {
    // The short way around: by -1, 0, 1 or 2 quarter turns.
    mat.quarters += ((quarters - mat.quarters + 1) % 4 + 4) % 4 - 1;
    [mat.label, mat.x, mat.y] = [label, x, y];
    mat.shape.setAttribute("href", `#pb-${label}`);
    mat.words.textContent = label;
    mat.shape.style.transform = at(x, y, mat.quarters);
    mat.words.style.transform = at(x - mat.size / 2 + .3, y - mat.size / 2 + .25);
  }

  // Makes a move; returns its time in ms.
  change({ moves, gone = [], come = [], mats: turned = [], names }, moving) {
    let time = 0;
    this.trailsGroup.replaceChildren();
    for (const [x, y] of gone) this.removePiece(this.pieceAt(x, y)).remove();
    const movers = moves.map(([x, y]) => this.pieceAt(x, y));
    moves.forEach(([x, y, a, b, scored, begin, end], k) => {
      const { element } = movers[k], before = element.style.transform;
      [movers[k].x, movers[k].y] = [a, b];
      element.style.transform = at(a, b);
      if (moving) time = Math.max(time, slide(element, before, begin, end, turned.length));
      if (scored) {
        this.removePiece(movers[k]);
        if (!moving || reducedMotion.matches) element.remove();
        else {
          element.animate([{ opacity: 1 }, { opacity: 0 }],
            { delay: 1000 * end, duration: VANISH_MS, fill: "both" })
            .onfinish = () => element.remove();
          time += VANISH_MS;
        }
      }
      if (turned.length) return;
      make("path", { d: `M${x} ${y}L${a} ${b}`, stroke: this.inks.trail, "stroke-width": .07,
        "stroke-linecap": "round" }, this.trailsGroup);
      make("circle", { cx: x, cy: y, r: .13, fill: this.inks.trail }, this.trailsGroup);
    });
    for (const [number, label, x, y, quarters] of turned) {
      const mat = this.mats[number], before = mat.shape.style.transform;
      this.setMat(mat, label, x, y, quarters);
      if (moving) time = Math.max(time, slide(mat.shape, before, 0, .8, true));
      const half = mat.size / 2;
      make("rect", { x: x - half, y: y - half, width: mat.size, height: mat.size, fill: "none",
        stroke: this.inks.moved, "stroke-width": .08 }, this.trailsGroup);
    }
    for (const piece of come) this.addPiece(...piece);
    if (names) this.setNames(names);
    return time;
  }

  // Marks: rings [x, y, radius], dots [x, y, radius], arrows [x, y, x, y] and frames
  // [x, y, width, height], each with the name of an ink at its end.
  mark({ rings = [], dots = [], arrows = [], frames = [] }) {
    const parent = this.marksGroup;
    const line = (ink, width) => ({ fill: "none", stroke: this.inks[ink], "stroke-width": width,
      "stroke-linecap": "round" });
    parent.replaceChildren();
    for (const [x, y, width, height, ink] of frames) {
      make("rect", { x, y, width, height, rx: .15, ...line(ink, .1) }, parent);
    }
    for (const [x, y, r, ink] of rings) make("circle", { cx: x, cy: y, r, ...line(ink, .1) }, parent);
    for (const [x, y, r, ink] of dots) {
      make("circle", { cx: x, cy: y, r, fill: this.inks[ink] }, parent);
    }
    for (const [x, y, a, b, ink] of arrows) {
      make("path", { d: `M${x} ${y}L${a} ${b}`, ...line(ink, .12) }, parent);
    }
  }

  celebrate() {
    if (reducedMotion.matches) return;
    const { x: west, y: north, width, height } = this.svg.viewBox.baseVal;
    const fills = ["accent", "flipped", "moved", "trail"];
    for (let k = 0; k < 48; k += 1) {
      const scrap = make("rect", { width: .3, height: .18, fill: this.inks[fills[k % 4]] }, this.svg);
      const x = west + width * Math.random(), drift = 3 * Math.random() - 1.5;
      scrap.animate([{ transform: `translate(${x}px,${north}px)` },
        { transform: `translate(${x + drift}px,${north + height}px) `
          + `rotate(${900 * Math.random()}deg)` }],
      { duration: 900 + 1100 * Math.random(), easing: "ease-in" }).onfinish = () => scrap.remove();
    }
  }

  placeOf(event) {
    const point = new DOMPoint(event.clientX, event.clientY);
    return point.matrixTransform(this.svg.getScreenCTM().inverse());
  }

  // Calls with the places where a press began and ended; direction is null for a click.
  listen(use) {
    this.svg.addEventListener("pointerdown", (event) => {
      this.pressed = this.placeOf(event);
      this.svg.setPointerCapture(event.pointerId);
    });
    this.svg.addEventListener("pointerup", (event) => {
      const begin = this.pressed, end = this.placeOf(event);
      this.pressed = null;
      if (!begin) return;
      const [dx, dy] = [end.x - begin.x, end.y - begin.y];
      const far = Math.max(Math.abs(dx), Math.abs(dy)) > .5;
      const direction = Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? 1 : 3) : dy > 0 ? 2 : 0;
      use(begin, end, far ? direction : null);
    });
  }
}

function slide(element, before, begin, end, last) {
  const after = element.style.transform;
  if (before === after || reducedMotion.matches) return 0;
  const duration = 1000 * (end - begin);
  element.animate([{ transform: before }, { transform: after }],
    { delay: 1000 * begin, duration, fill: "backwards", easing: last ? "ease-in-out" : "linear" });
  return 1000 * end;
}
