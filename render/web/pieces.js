// Pieces and scenes: what they may be, and the block of numbers that the engine takes. The same
// arithmetic as physics/pieces.py, materials.py and solid/bodies.py, so that blocks have the same bits.

/** @typedef {{kind: string, mass_g: number, thickness_mm: number, insert_g?: number, ring_width_mm: number,
 *   fill_fraction: number, diameter_mm: number, material: ?Object, unofficial: boolean}} Piece */
/** @typedef {{slammer: Piece, stack: Piece[], arena: Object, materials: Object}} Scene */

const $ = (id) => document.getElementById(id);
let facts = {};   // what Python writes into the page, see lab.py

/** A value that is not accepted, in one line. */
class InputError extends Error {}

/** A number as Python's `repr` writes a float. */
function repr(x) {
  const size = Math.abs(x);
  if (Object.is(x, -0)) return "-0.0";
  if (size && (size >= 1e16 || size < 1e-4) && Number.isFinite(x)) {
    const [digits, power] = x.toExponential().split("e");
    return `${digits}e${power[0]}${power.slice(1).padStart(2, "0")}`;
  }
  const text = Number.isNaN(x) ? "nan" : String(x).replace("Infinity", "inf");
  return Number.isInteger(x) ? `${text}.0` : text;
}

/** A number as Python's form "g" writes it. */
function general(x, digits = 6) {
  if (!Number.isFinite(x) || x === 0) return repr(x).replace(".0", "");
  const [parts, power] = x.toExponential(digits - 1).split("e"), e = Number(power);
  const bare = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (e < -4 || e >= digits) return `${bare(parts)}e${e < 0 ? "-" : "+"}${String(Math.abs(e)).padStart(2, "0")}`;
  return bare(x.toFixed(digits - 1 - e));
}

const shown = (value) => {
  const text = typeof value === "number" ? repr(value) : `'${value}'`;
  return text.length <= 40 ? text : `${text.slice(0, 37)}...`;
};
const refusal = (where, value, accepted) => new InputError(`${where}: ${shown(value)} is not accepted; give ${accepted}`);

function checkNumber(name, value, low, high, unit = "", hint = "") {
  if (!(value >= low && value <= high)) {
    throw refusal(name, value, `a number from ${general(low)} to ${general(high)} ${unit}`.trimEnd() + hint);
  }
}

/** Check the numbers of one of the physics' classes that have a range. */
function checkRanges(kind, owner) {
  for (const [name, [low, high, unit]] of Object.entries(facts.ranges[kind])) {
    if (owner[name] !== null && owner[name] !== undefined) checkNumber(name, owner[name], low, high, unit);
  }
  return owner;
}

// ---- elementary functions, as pucklab/base/elementary.py has them

const [itsNumber, itsBits] = ((room) => [new Float64Array(room), new BigInt64Array(room)])(new ArrayBuffer(8));
const bitsOf = (x) => { itsNumber[0] = x; return itsBits[0]; };
const numberOf = (bits) => { itsBits[0] = bits; return itsNumber[0]; };
const LN2 = [6.93147180369123816490e-01, 1.90821492927058770002e-10];
const horner = (z, parts) => parts.reduceRight((sum, part) => part + z * sum);

function exp(x) {
  if (x < -708) return 0;
  const power = Math.floor(x * 1.44269504088896338700e+00 + 0.5), high = x - power * LN2[0], low = power * LN2[1];
  x = high - low;
  const z = x * x;
  const c = x - z * horner(z, [1.66666666666666019037e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05,
    -1.65339022054652515390e-06, 4.13813679705723846039e-08]);
  const y = 1 - ((low - (x * c) / (2 - c)) - high);
  return numberOf(bitsOf(y) + (BigInt(power) << 52n));
}

function log(x) {
  const bits = bitsOf(x), fraction = bits & 0xFFFFFFFFFFFFFn, isLarge = fraction > 0x6A09E667F3BCCn;
  const n = Number(bits >> 52n) - 1023 + (isLarge ? 1 : 0);
  const f = numberOf(fraction | (isLarge ? 1022n : 1023n) << 52n) - 1, half = 0.5 * f * f;
  const s = f / (2 + f), z = s * s, z2 = z * z, z4 = z2 * z2, z6 = z4 * z2;
  const r = z * 6.666666666666735130e-01 + z2 * (3.999999999940941908e-01 + z * 2.857142874366239149e-01)
    + z4 * (2.222219843214978396e-01 + z * 1.818357216161805012e-01)
    + z6 * (1.531383769920937332e-01 + z * 1.479819860510518591e-01);
  return n * LN2[0] - ((half - (s * (half + r) + n * LN2[1])) - f);
}

function atan(x) {
  let high = 0, low = 0;
  if (x >= 0.6875) [high, low, x] = [7.85398163397448278999e-01, 3.06161699786838301793e-17, (x - 1) / (x + 1)];
  else if (x >= 0.4375) [high, low, x] = [4.63647609000806093515e-01, 2.26987774529616870924e-17, (2 * x - 1) / (2 + x)];
  const z = x * x, w = z * z;
  const odd = z * horner(w, [3.33333333333329318027e-01, 1.42857142725034663711e-01, 9.09088713343650656196e-02,
    6.66107313738753120669e-02, 4.97687799461593236017e-02, 1.62858201153657823623e-02]);
  const even = w * horner(w, [-1.99999999998764832476e-01, -1.11111104054623557880e-01, -7.69187620504482999495e-02,
    -5.83357013379057348645e-02, -3.65315727442169155270e-02]);
  return high - ((x * (odd + even) - low) - x);
}

function atan2(y, x) {   // y from 0
  const right = Math.abs(x), low = Math.min(y, right), high = Math.max(y, right);
  if (high < 1e-290) return 0;
  const head = (part) => numberOf((bitsOf(part) + 0x4000000n) & -0x8000000n);
  const quotient = low / high, its = head(quotient), top = head(high);
  let left = ((low - its * top) - (quotient - its) * top) - its * (high - top);
  left -= (quotient - its) * (high - top);
  const angle = atan(quotient), rest = left / (high * (1 + quotient * quotient));
  if (y <= right) return x < 0 ? Math.PI - (angle - (1.22464679914735320717e-16 - rest)) : angle + rest;
  if (x < 0) return 1.57079632679489655800e+00 + (angle + (6.12323399573676603587e-17 + rest));
  return 1.57079632679489655800e+00 - (angle - (6.12323399573676603587e-17 - rest));
}

/** The sum of numbers, rounded once, as Python's `fsum` (Shewchuk 1997). */
function exactSum(values) {
  const parts = [];
  for (let x of values) {
    let kept = 0;
    for (let y of parts) {
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      const high = x + y, low = y - (high - x);
      if (low) parts[kept++] = low;
      x = high;
    }
    parts.length = kept;
    parts.push(x);
  }
  let high = parts.pop() || 0, low = 0;
  while (parts.length) {
    const before = high, part = parts.pop();
    high = before + part;
    low = part - (high - before);
    if (low) break;
  }
  // Half way between two numbers, the parts below decide.
  if (parts.length && Math.sign(low) === Math.sign(parts.at(-1))) {
    const more = high + 2 * low;
    if (more - high === 2 * low) high = more;
  }
  return high;
}

// ---- pieces

const fourDigits = (value) => Number(value.toPrecision(4));
const nameOf = (material) => (material === null ? "plastic" : material.name
  || `of ${general(material.density_g_cm3)} g/cm3 and ${general(material.modulus_gpa)} GPa`);

function hasUsualMake({ kind, diameter_mm, material, thickness_mm }) {
  return diameter_mm === facts.make.diameterMm && material === null
    && (kind === "Slammer" || thickness_mm === facts.make.puckMm);
}

function bodyVolume(piece) {
  const radius = piece.diameter_mm / 2, high = upperHalf(piece), recess = radius - piece.ring_width_mm;
  const upper = radius * radius - (1 - piece.fill_fraction) * recess * recess;
  return Math.PI * (radius * radius * (piece.thickness_mm - high) + upper * high);
}

const upperHalf = ({ fill_fraction, thickness_mm }) => (fill_fraction === 1 ? 0 : Math.min(facts.make.upperHalfMm, thickness_mm / 2));

function checkRulebook(name, value, official, possible, unit, lax) {
  const [low, high] = lax ? possible : official;
  const hint = lax ? "" : ` (unofficial pieces: ${general(possible[0])} to ${general(possible[1])} ${unit})`;
  checkNumber(name, value, low, high, unit, hint);
}

/** Make a piece of a kind, checked as Python's classes check theirs. */
function makePiece(kind, numbers) {
  const piece = { ...facts.usual[kind], ...numbers, kind }, { make } = facts, name = kind.toLowerCase();
  const isUsual = hasUsualMake(piece), lax = piece.unofficial || !isUsual, range = (field) => facts.fields[field].slice(0, 2);
  checkNumber(`${name}_diameter_mm`, piece.diameter_mm, ...make.diametersMm, "mm");
  if (!isUsual) checkThickness(name, piece.thickness_mm, piece.diameter_mm);
  checkNumber("ring_width_mm", piece.ring_width_mm, 1, piece.diameter_mm / 2, "mm");
  checkNumber("fill_fraction", piece.fill_fraction, 0, 1);
  checkRulebook(`${name}_g`, piece.mass_g, range(`${name}_g`), make.massesG[kind], "g", lax);
  if (kind === "Slammer") {
    checkRulebook("thickness_mm", piece.thickness_mm, range("thickness_mm"), make.thicknessesMm, "mm", lax);
    const room = piece.thickness_mm >= make.insertFromMm ? make.insertMaxG : 0;
    if (piece.insert_g) checkNumber("insert_g", piece.insert_g, 0, Math.min(room, piece.mass_g), "g");
  }
  const insert = piece.insert_g || 0, volume = bodyVolume(piece), density = 1000 * (piece.mass_g - insert) / volume;
  const [low, high] = isUsual ? make.realDensity : make.anyDensity;
  if (!(density >= low && density <= high)) {
    const [least, most] = [low, high].map((end) => general(end * volume / 1000 + insert, 3));
    throw new InputError(`${name}_g: ${general(piece.mass_g, 4)} g at ${general(piece.diameter_mm)} x ${general(piece.thickness_mm, 3)} mm would have `
      + `${general(density, 3)} g/cm3${insert ? " without its steel ring" : ""}; give ${least} to ${most} g, which ${general(low)} to ${general(high)} g/cm3 make`);
  }
  return piece;
}

function checkThickness(name, thickness, diameter) {
  const [low, high] = facts.make.thicknessesMm;
  checkNumber(`${name}_thickness_mm`, thickness, low, Math.min(high, diameter / 2), "mm",
    `, at most half of the diameter of ${general(diameter)} mm`);
}

/** A slammer built as the PuckDex's are: a body of up to 4 g, and a steel ring for the rest. */
function puckdexSlammer(mass_g, thickness_mm = facts.make.slammerMm, unofficial = false) {
  const { make } = facts, room = thickness_mm >= make.insertFromMm ? make.insertMaxG : 0;
  return makePiece("Slammer", { mass_g, thickness_mm, insert_g: Math.min(Math.max(0, mass_g - make.bodyG), room), unofficial });
}

/** A plain disc of another size or material; what is not given follows from the rest. */
function ownPiece(kind, { mass_g, diameter_mm, thickness_mm, material = null }) {
  const { make } = facts, name = kind.toLowerCase(), across = diameter_mm ?? make.diameterMm;
  checkNumber(`${name}_diameter_mm`, across, ...make.diametersMm, "mm");
  const area = Math.PI * across * across / 4, density = (material || facts.usual.Material).density_g_cm3 / 1000;
  if (thickness_mm === undefined) {
    thickness_mm = kind === "Puck" ? make.puckMm : make.slammerMm;
    if (mass_g !== undefined && material) {
      const [thin, thick] = make.thicknessesMm;
      const ends = [thin, Math.min(thick, across / 2)].map((end) => fourDigits(density * area * end));
      checkNumber(`${name}_g`, mass_g, ...ends, "g", `, as ${nameOf(material)} ${general(across)} mm across makes`);
      thickness_mm = fourDigits(mass_g / density / area);
    }
  }
  checkThickness(name, thickness_mm, across);
  if (mass_g === undefined) {
    mass_g = fourDigits(density * area * thickness_mm);
    const [low, high] = make.massesG[kind];
    if (!(mass_g >= low && mass_g <= high)) {
      throw new InputError(`${name}_diameter_mm: ${general(across)} x ${general(thickness_mm)} mm of ${nameOf(material).replace(/^of /, "")} `
        + `weigh ${general(mass_g)} g; give sizes that weigh ${general(low)} to ${general(high)} g`);
    }
  }
  return makePiece(kind, { mass_g, diameter_mm: across, thickness_mm, material, fill_fraction: 1, unofficial: true });
}

/** A piece of other sizes, as sim/scene/scenes.py shapes it. */
function shapePiece(base, sizes) {
  const { kind } = base, given = Object.keys(sizes);
  if (hasUsualMake(base)) {
    if (sizes.diameter_mm !== undefined || sizes.material || (kind === "Puck" && given.length > 1)) return ownPiece(kind, sizes);
    if (kind === "Puck") return makePiece(kind, { ...base, ...sizes });
    const { mass_g, thickness_mm } = { ...base, ...sizes };
    return puckdexSlammer(mass_g, thickness_mm, base.unofficial);
  }
  const density = (base.material || facts.usual.Material).density_g_cm3 / 1000;
  const solid = density * Math.PI * (base.diameter_mm * base.diameter_mm) / 4 * base.thickness_mm;
  let kept = { mass_g: base.mass_g };
  if (base.material && Math.abs(base.mass_g - solid) <= 2e-3 * Math.max(base.mass_g, solid)) {
    kept = given.includes("mass_g") ? {} : { thickness_mm: base.thickness_mm };
  } else if (!sizes.material) return makePiece(kind, { ...base, unofficial: true, ...sizes });
  return ownPiece(kind, { diameter_mm: base.diameter_mm, material: base.material, ...kept, ...sizes });
}

/** Mass, centre of mass and moments of inertia of a piece, put together from its parts. */
function massProperties(piece) {
  const { make } = facts, radius = piece.diameter_mm / 2, middle = piece.thickness_mm / 2, insert = piece.insert_g || 0;
  const lower = piece.thickness_mm - upperHalf(piece), recess = radius - piece.ring_width_mm;
  const density = (piece.mass_g - insert) / bodyVolume(piece);
  // Mass, radii, and heights from the underside: the lower half, the ring, what fills it.
  const parts = [[0, radius, 0, lower, 1], [recess, radius, lower, piece.thickness_mm, 1],
    [0, recess, lower, piece.thickness_mm, piece.fill_fraction]].map(([inner, outer, low, high, filled]) =>
    [density * (Math.PI * (outer * outer - inner * inner) * (high - low) * filled), inner, outer, low, high]);
  if (insert) {
    const half = insert / (make.steelGMm3 * make.insertAreaMm2) / 2;
    parts.push([insert, make.insertInnerMm, make.insertOuterMm, middle - half, middle + half]);
  }
  const sum = (term) => exactSum(parts.map((part) => term(...part)));
  const mass = sum((own) => own), centre = sum((own, a, b, low, high) => own * (low + high) / 2) / mass;
  return {
    mass, centre: centre - middle,
    axis: sum((own, inner, outer) => own * (inner * inner + outer * outer) / 2),
    diameter: sum((own, inner, outer, low, high) => {
      const rise = high - low, away = (low + high) / 2 - centre;
      return own * ((inner * inner + outer * outer) / 4 + rise * rise / 12 + away * away);
    }),
  };
}

function contactStiffness(material, thickness, radius) {
  const { edgeMm, slope, log96, face } = facts.contact, { modulus_gpa, poisson } = material || facts.usual.Material;
  const dent = Math.min(thickness / 2, Math.PI * Math.sqrt(2 * radius * edgeMm / slope) / (2 * log96));
  return 2 * modulus_gpa * 1e9 * dent / (1 - poisson * poisson) * face;
}

/** Damping ratio of a contact that only pushes, by its restitution (Schwager and Poeschel 2007). */
const dampingRatio = ((known) => (restitution) => {
  if (known.has(restitution)) return known.get(restitution);
  const rebound = (ratio) => {
    const square = ratio * ratio, s = Math.sqrt(Math.abs(1 - square));
    if (ratio < 1) return exp(-ratio / s * (Math.PI - atan2(2 * ratio * s, 1 - 2 * square)));
    return ratio > 1 ? exp(-ratio / s * log((ratio + s) / (ratio - s))) : exp(-2);
  };
  let [low, high] = [0, 1e3];
  for (let k = 0; k < 100; k++) {
    const middle = (low + high) / 2;
    if (rebound(middle) > restitution) low = middle; else high = middle;
  }
  known.set(restitution, (low + high) / 2);
  return (low + high) / 2;
})(new Map());

// ---- scenes

/** Make an arena, checked as Python's class checks it. */
function makeArena(numbers) {
  const arena = checkRanges("Arena", { ...facts.usual.Arena, ...numbers });
  if (arena.film_gap_um > 0 && arena.film_gap_um < 5) {
    throw new InputError(`film_gap_um: ${arena.film_gap_um} is not accepted; give 0 for no film, or a gap from 5 to 1000 um`);
  }
  if (arena.out_radius_mm !== null) {
    checkNumber("out_radius_mm", arena.out_radius_mm, 25, 2000, "mm");
    if (arena.box) throw new InputError("out_radius_mm: not accepted in a box, whose walls count");
  }
  return arena;
}

/** Check that a scene's pieces can stand in its arena, as physics/scene.py does. */
function checkScene(scene) {
  const { stack, slammer, arena } = scene, { make } = facts;
  if (stack.length > make.mostPieces) throw new InputError(`stack: ${stack.length} pieces are not accepted; give at most ${make.mostPieces}`);
  const height = exactSum(stack.map((piece) => piece.thickness_mm));
  const narrow = 4 * Math.min(...stack.map((piece) => piece.diameter_mm)), most = Math.min(make.highestMm, narrow);
  if (height > most) {
    throw new InputError(`stack: a height of ${general(height)} mm is not accepted; give at most ${general(most)} mm`
      + (narrow < make.highestMm ? ", four times the narrowest piece's diameter" : ""));
  }
  const wide = Math.max(...[...stack, slammer].map((piece) => piece.diameter_mm));
  if (arena.box && wide > arena.side_mm) {
    throw new InputError(`arena: ${general(arena.side_mm)} mm is not accepted; give at least ${general(wide)} mm, the diameter of the widest piece`);
  }
  return scene;
}

/** A scene as the block of numbers that the engine takes; see physics/solid/bodies.py.
 * @param {Scene} scene @returns {Float64Array} */
function sceneBlock({ slammer, stack, arena, materials }) {
  const { blocks, make } = facts, { settings, at } = blocks, bodies = [...stack, slammer], count = bodies.length;
  const unit = Math.max(...bodies.map((piece) => piece.diameter_mm)) / make.diameterMm, square = unit * unit;
  const half = arena.box ? arena.side_mm / 2 : Infinity, floor = arena.material || materials;
  const sides = [...bodies.map((piece) => piece.material || materials), floor];
  const livest = Math.max(...sides.map(({ restitution }) => restitution));
  const lost = materials.hysteresis ? exp(materials.hysteresis * log(livest)) : 1;
  const law = { ...blocks.law, kept: lost * lost, half_side_mm: half / unit, wall_height_mm: arena.wall_height_mm / unit,
    longest_s: blocks.longestS[arena.box ? 0 : 1], film_gap_mm: arena.film_gap_um / 1000 / unit,
    film_viscosity: blocks.law.film_viscosity / (unit * Math.sqrt(unit)), film_pressure: blocks.law.film_pressure / unit,
    air_density: arena.air_kg_m3 * 1e-6 };
  const block = new Float64Array(blocks.table + (count + 1) * blocks.columns);
  block[blocks.bodies] = count;
  block[blocks.unit] = unit;
  block[blocks.half] = half;
  block[blocks.wall] = arena.wall_height_mm;
  block[blocks.out] = arena.out_radius_mm ?? Infinity;
  block.set(Object.values(law), blocks.begin);
  sides.forEach((side, k) => {
    const row = block.subarray(blocks.table + k * blocks.columns), piece = bodies[k];
    let stiffness = contactStiffness(arena.material, make.puckMm, make.diameterMm / 2) / unit;
    if (piece) {
      const own = massProperties(piece);
      row[at.INVERSE_MASS] = 1 / (own.mass / (unit * square));
      row[at.INVERSE_DIAMETER] = 1 / (own.diameter / (unit * square * square));
      row[at.INVERSE_AXIS] = 1 / (own.axis / (unit * square * square));
      row[at.HALF] = piece.thickness_mm / unit / 2;
      row[at.OFFSET] = own.centre / unit;
      row[at.RADIUS] = piece.diameter_mm / 2 / unit;
      stiffness = contactStiffness(piece.material, piece.thickness_mm, piece.diameter_mm / 2) / square;
    }
    row[at.COMPLIANCE] = 1 / (settings.stiffness * stiffness);
    row[at.DAMPING] = dampingRatio(Math.min(1, side.restitution / lost));
    row[at.FRICTION] = side.friction;
  });
  return block;
}

const throwerBlock = (thrower) => facts.blocks.thrower.map((name) => thrower[name]);
