// A slam as a line of text, `th1:...`: read and written as physics/slam_line.py does.

const LINE_FIELDS = "skaplqtje";

/** CRC-16 (CCITT) of a text in four hexadecimal digits. */
function checksum(text) {
  let sum = 0;
  for (const byte of new TextEncoder().encode(text)) {
    sum ^= byte << 8;
    for (let k = 0; k < 8; k++) sum = (sum & 0x8000 ? sum << 1 ^ 0x1021 : sum << 1) & 0xFFFF;
  }
  return sum.toString(16).padStart(4, "0");
}

/** @param {{scene: Scene, throwing: Object, engine?: string, version?: number}} slam @returns {string} */
function writeLine({ scene, throwing, engine = "solid", version = facts.physics }) {
  const { usual } = facts, { slammer, stack, arena, materials } = scene;
  const number = (value) => repr(value).replace(/\.0$/, "");
  const text = (kind, owner, always = "", comma = ",") => Object.entries(facts.line.letters[kind]).flatMap(([letter, name]) => {
    const value = owner[name] ?? null;
    if (name === "material") return value === null ? [] : [letter + (value.name || text("Material", value, "density_g_cm3", ";"))];
    if (name !== always && value === (usual[kind][name] ?? null)) return [];
    return [typeof value === "boolean" ? letter : letter + number(value)];
  }).join(comma);
  const make = (piece) => (piece.kind === "Puck" ? text("Puck", piece) : `S${text("Slammer", piece, "mass_g")}`);
  const groups = [];
  for (const own of stack.map(make)) {
    if (groups.at(-1)?.own === own) groups.at(-1).count += 1; else groups.push({ own, count: 1 });
  }
  const parts = {
    s: text("Slammer", slammer, "mass_g"), k: groups.map(({ count, own }) => (own ? `${count}*${own}` : `${count}`)).join("/"),
    a: text("Arena", arena), p: text("Materials", materials), t: text("Throw", throwing, "speed_mm_s"),
    j: (throwing.jitter_mm || []).map(([x, y]) => `${number(x)}/${number(y)}`).join(","), e: `${engine}${version}`,
  };
  const line = [facts.line.begin, ...[...LINE_FIELDS].filter((key) => parts[key]).map((key) => `${key}=${parts[key]}`)].join(":");
  return `${line}:${checksum(line)}`;
}

/** Read a slam's line; errors name the field, as Python's do.
 * @param {string} text @returns {{scene: Scene, throwing: Object, engine: string, version: number}} */
function readLine(text, where = "slam") {
  const { begin, longest, letters } = facts.line, { usual } = facts, form = "th1:s=...:t=...:e=...:checksum";
  if (text.length > longest) throw new InputError(`${where}: ${text.length} characters are not accepted; give at most ${longest}`);
  const [first, ...parts] = text.replace(/\s/g, "").replace(/^["']+|["']+$/g, "").split(":");
  if (first !== begin || !parts.length) throw refusal(where, text, `a line such as ${form}`);
  if (!parts.at(-1).includes("=")) {
    const given = parts.pop(), own = checksum([first, ...parts].join(":"));
    if (given !== "-" && given !== own) {
      throw new InputError(`${where}: the checksum ${shown(given)} is not that of the line, ${own}; a character was changed or lost, or give - for a line written by hand`);
    }
  }
  const found = {};
  let place = -1;
  for (const part of parts) {
    const [, key, value] = part.match(/^([a-z])=(.*)$/) || [], order = key ? LINE_FIELDS.indexOf(key) : -1;
    if (order < 0) throw refusal(`${where}: field`, part, `one of ${[...LINE_FIELDS].map((own) => `${own}=`).join(", ")}`);
    if (order <= place) throw new InputError(`${where}: field ${key}= stands twice or too late; the order is ${form}`);
    place = order;
    found[key] = value;
  }
  for (const [key, about] of [["s", "slammer"], ["t", "throw"]]) {
    if (found[key] === undefined) throw new InputError(`${where}: field ${key}=, the ${about}, is missing`);
  }
  const number = (name, value) => {
    if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(value)) throw refusal(name, value, "a number");
    return Number(value);
  };
  const read = (kind, values, at, comma = ",") => {
    const changes = {};
    for (const part of values ? values.split(comma) : []) {
      const name = letters[kind][part[0]], value = part.slice(1);
      if (!name) throw refusal(at, part, `numbers behind the letters ${Object.keys(letters[kind]).join(", ")}`);
      if (name in changes) throw new InputError(`${at} ${name}: given twice; give it once`);
      if (name === "material") {
        changes[name] = facts.materials[value] || checkRanges("Material", { ...usual.Material, ...read("Material", value, `${at} material`, ";") });
      } else if (typeof usual[kind][name] === "boolean" && !value) changes[name] = !usual[kind][name];
      else if (name === "luck") {
        if (!/^\d{1,20}$/.test(value)) throw refusal(`${at} ${name}`, value, "a whole number");
        changes[name] = Number(value);
      } else changes[name] = number(`${at} ${name}`, value);
    }
    return changes;
  };
  const named = (at, work) => {
    try { return work(); } catch (error) { throw error instanceof InputError ? new InputError(`${at} ${error.message}`) : error; }
  };
  const piece = (kind, values, at) => named(at, () => makePiece(kind, { mass_g: 2, ...(kind === "Puck" ? { mass_g: usual.Puck.mass_g } : {}), ...values }));
  const [, engine, version] = (found.e ?? `solid${facts.physics}`).match(/^([a-z]+)(\d{1,6})$/) || [];
  if (!engine) throw refusal(`${where} e`, found.e, `engine and version, such as solid${facts.physics}`);
  const stack = (found.k ?? "10").split("/").flatMap((group) => {
    const [, count, own = ""] = group.match(/^(\d+)(?:\*(.*))?$/) || [];
    if (!count || !(Number(count.slice(0, 4)) >= 1 && Number(count.slice(0, 4)) <= facts.make.mostPieces)) {
      throw refusal(`${where} k`, group, `a count from 1 to ${facts.make.mostPieces} and a piece`);
    }
    const kind = own.startsWith("S") ? "Slammer" : "Puck", at = `${where} k`;
    return Array(Number(count)).fill(piece(kind, read(kind, own.replace(/^S/, ""), at), at));
  });
  const jitter = found.j ? found.j.split(",").map((pair) => pair.split("/")) : [];
  if (!jitter.every((pair) => pair.length === 2)) throw refusal(`${where} j`, found.j, "x/y of each piece, with commas");
  return named(where, () => {
    const owner = (kind, key) => {
      const changes = read(kind, found[key], key);
      return named(key, () => (kind === "Arena" ? makeArena(changes) : checkRanges(kind, { ...usual[kind], ...changes })));
    };
    const throwing = owner("Throw", "t");
    throwing.jitter_mm = jitter.map((pair) => pair.map((own) => number("j", own)));
    const scene = checkScene({
      slammer: piece("Slammer", read("Slammer", found.s, "s"), "s"), stack,
      arena: owner("Arena", "a"), materials: owner("Materials", "p"),
    });
    if (!["plane", "solid"].includes(engine)) throw refusal("engine", engine, "one of plane, solid");
    if (jitter.length && jitter.length !== stack.length) {
      throw new InputError(`throw: jitter of ${jitter.length} pieces is not accepted; the scene's stack has ${stack.length}`);
    }
    return { scene, throwing, engine, version: Number(version) };
  });
}

/** The engine's numbers of a throw, and back. */
function throwBlock(throwing, pieces) {
  const jitter = throwing.jitter_mm?.length ? throwing.jitter_mm : Array(pieces).fill([0, 0]);
  return [...facts.blocks.throw.map((name) => throwing[name]), ...jitter.flat()];
}

function throwOf(block) {
  const names = facts.blocks.throw, throwing = Object.fromEntries(names.map((name, k) => [name, block[k]]));
  const rest = Array.from(block).slice(names.length);
  return { ...throwing, jitter_mm: rest.filter((_, k) => k % 2 === 0).map((x, k) => [x, rest[2 * k + 1]]) };
}
