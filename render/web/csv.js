// The file of throws, as `pucklab odds --out` writes it and `--resume` reads it.

const SETTINGS_OF = [["", "Arena", ({ scene }) => scene.arena], ["", "Materials", ({ scene }) => scene.materials], ["", "ThrowDistribution", ({ thrower }) => thrower]];

/** A fact as the hash of a case has it: JSON with sorted names. */
function plainText(kind, owner) {
  const text = (name, value) => {
    if (name === "material" && value) return plainText("Material", value);
    return typeof value === "number" ? repr(value) : JSON.stringify(value ?? null);
  };
  const parts = Object.entries({ type: kind, ...Object.fromEntries(Object.keys(facts.usual[kind]).map((name) => [name, owner[name]])) });
  return `{${parts.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => `"${name}": ${text(name, value)}`).join(", ")}}`;
}

async function caseId({ scene, thrower }) {
  const fill = { slammer: plainText("Slammer", scene.slammer), stack: scene.stack.map((piece) => plainText(piece.kind, piece)).join(", "),
    arena: plainText("Arena", scene.arena), materials: plainText("Materials", scene.materials), thrower: plainText("ThrowDistribution", thrower) };
  const text = facts.odds.study.replace(/%(\w+)%/g, (_, name) => fill[name]);
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(hash).slice(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Numbers that differ from the usual ones, as name=value. */
function settingsText(study) {
  const { scene, thrower } = study, { slammer, stack } = scene, puck = stack.at(-1), found = [];
  const told = (value) => {
    if (value && typeof value === "object") return Object.entries(value).filter(([name]) => name !== "source" && name !== "name").map(([, part]) => told(part)).join(",");
    return typeof value === "number" ? general(value, 12) : value === null || value === undefined ? "None" : typeof value === "boolean" ? (value ? "True" : "False") : String(value);
  };
  const compare = (stem, kind, own, usual) => {
    for (const name of Object.keys(facts.usual[kind])) {
      if (name !== "unofficial" && told(own[name]) !== told(usual[name])) found.push(`${stem}${name}=${told(own[name])}`);
    }
  };
  for (const [stem, kind, of] of SETTINGS_OF) compare(stem, kind, of(study), facts.usual[kind]);
  compare("slammer.", "Slammer", slammer, hasUsualMake(slammer) ? puckdexSlammer(slammer.mass_g, slammer.thickness_mm, true) : puckdexSlammer(8));
  if (puck.kind === "Puck") compare("puck.", "Puck", puck, facts.usual.Puck);
  return found.join(" ");
}

function wilson(successes, trials) {
  const { z } = facts.odds, p = successes / trials, z2 = z * z / trials, middle = (p + z2 / 2) / (1 + z2);
  const half = z / (1 + z2) * Math.sqrt(p * (1 - p) / trials + z2 / (4 * trials));
  return [p, successes === 0 ? 0 : middle - half, successes === trials ? 1 : middle + half];
}

/** The text of the file of some studies with throws. */
async function csvText(studies) {
  const names = ["slammer", "slammer_g", "speed_m_s", "pucks", "puck_g", "engine", "settings", "trials", "flips_mean", "flips_se", "p_any", "p_any_low",
    "p_any_high", "out_mean", "p_any_out", "p_any_out_low", "p_any_out_high", "distance_mm_mean", "leaning_mean", "seed", "experiment", "version", "id", "counts"];
  const rows = [];
  for (const study of studies) {
    const { scene, thrower, tally } = study, n = tally.trials - tally.left_out, flips = meanOf(tally.flips), outs = meanOf(tally.outs);
    const pucks = scene.stack.filter(({ kind }) => kind === "Puck"), inside = n * scene.stack.length - tally.outs.reduce((sum, count, k) => sum + k * count, 0);
    const numbers = [flips.value, flips.error, ...wilson(n - tally.flips[0], n), outs.value, ...wilson(n - tally.outs[0], n),
      inside ? tally.distance_um / 1000 / inside : NaN, tally.leaning / n];
    const settings = settingsText(study), quoted = (text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    rows.push([`${general(scene.slammer.mass_g)} g`, repr(scene.slammer.mass_g), repr(thrower.speed_mm_s / 1000), pucks.length, repr(pucks[0].mass_g), "solid", quoted(settings),
      tally.trials, ...numbers.map(repr), facts.seed, facts.odds.tag, facts.version, await caseId(study), quoted(JSON.stringify(tally))].join(","));
  }
  return `${[names.join(","), ...rows].join("\n")}\n`;
}
