// Runs the Lab's scripts in node, with a question on standard input: node webscripts.js WHAT FILES... Prints JSON.
"use strict";
const fs = require("fs"), vm = require("vm");
const [what, ...files] = process.argv.slice(2), asked = JSON.parse(fs.readFileSync(0, "utf8"));
vm.runInThisContext(`${files.map((file) => fs.readFileSync(file, "utf8").replace('"use strict";', "")).join("\n")}
  const setFacts = (own) => {
    facts = own;
    for (const [name, material] of Object.entries(facts.materials)) material.name = name;
    for (const one of Object.values(facts.sets).flat()) if (one.material) one.material = facts.materials[one.material_name];
  };`);
setFacts(asked.facts);
const bits = (numbers) => Buffer.from(Float64Array.from(numbers).buffer).toString("hex");
const named = (work) => { try { return work(); } catch (error) { if (error instanceof InputError) return { error: error.message }; throw error; } };
const DO = {
  // Lines, read and written again, with the blocks of their scenes and throws.
  lines: ({ lines }) => lines.map((line) => named(() => {
    const slam = readLine(line), { scene, throwing } = slam;
    return { line: writeLine(slam), scene: bits(sceneBlock(scene)), throwing: bits(throwBlock(throwing, scene.stack.length)) };
  })),
  // Blocks of questions.
  questions: ({ questions }) => questions.map((question) => named(() => {
    const { scene, thrower } = sceneOfQuestion({ ...DEFAULTS, ...question });
    return { scene: bits(sceneBlock(scene)), thrower: bits(throwerBlock(thrower)) };
  })),
  // Tallies of the first trials of questions' scenes.
  tallies: ({ questions, trials, module }) => questions.map((question) => {
    const { scene, thrower } = sceneOfQuestion({ ...DEFAULTS, ...question }), study = newStudy(scene, thrower);
    const engine = openEngine(new WebAssembly.Module(fs.readFileSync(module)), study.block, throwerBlock(thrower));
    const rows = engine.simulateMany(facts.seed, 0, trials), ends = [];
    countRows(study, 0, rows);
    return { tally: study.tally, flips: study.flips, rows: bits(rows), first: bits(engine.draw(facts.seed, 0)) };
  }),
  // How throws end, of lines.
  ends: ({ lines, module }) => lines.map((line) => {
    const { scene, throwing } = readLine(line), study = newStudy(scene, facts.throwers["most people"]);
    const engine = openEngine(new WebAssembly.Module(fs.readFileSync(module)), study.block, throwerBlock(study.thrower));
    const { hit, bodies } = engine.simulate({ throwing: throwBlock(throwing, scene.stack.length), samples: 4096 });
    return { hit, faces: bodies.map(({ face }) => face), places: bits(bodies.flatMap(({ x, y }) => [x, y])) };
  }),
  // Answers in words, on tallies of weights.
  answers: ({ cases }) => cases.map((rows) => sentence(oddsAnswer(rows.map(({ slammer_g, tally }) => ({ slammer_g, tally, scene: sceneOfQuestion({ ...DEFAULTS, slammer_g }).scene }))))),
  // Comparisons of two weights by the flips in the same throws.
  comparisons: ({ cases }) => cases.map(({ masses, flips }) => {
    const studies = flips.map((own) => ({ flips: own, tally: { flips: own.reduce((all, k) => all.with(k, all[k] + 1), Array(11).fill(0)) } }));
    return sentence(comparisonAnswer(masses.map((mass) => `${general(mass)} g`), studies, Math.abs(Math.log(masses[0] / masses[1]))));
  }),
};
process.stdout.write(JSON.stringify(DO[what](asked)));
