// Runs trials of a scene in the WebAssembly module: node kernels.js LOADER MODULE BLOCKS SEED TRIALS. Prints JSON.
"use strict";
const fs = require("fs"), vm = require("vm");
const [loader, file, blocks, seed, trials] = process.argv.slice(2);
vm.runInThisContext(fs.readFileSync(loader, "utf8").replace('"use strict";', ""));
const { scene, thrower, samples } = JSON.parse(fs.readFileSync(blocks, "utf8"), (_, value) => (value === "inf" ? Infinity : value));
const engine = openEngine(new WebAssembly.Module(fs.readFileSync(file)), scene, thrower);
const bits = (numbers) => Buffer.from(Float64Array.from(numbers).buffer).toString("hex");
const found = [], began = process.cpuUsage();
for (let trial = 0; trial < Number(trials); trial++) {
  const { hit, taken, bodies, throwing, peakNj, timeS, poses } = engine.simulate({ seed: BigInt(seed), trial, samples });
  const ends = bodies.flatMap(({ face, x, y }) => [FACES.indexOf(face), x, y]);
  found.push([hit, taken, bits([peakNj, ...ends]), bits(throwing), timeS.length, bits(poses.slice(-9))]);
}
const spent = process.cpuUsage(began);
process.stdout.write(JSON.stringify({ answer: engine.knownAnswer(), found, cpuS: (spent.user + spent.system) / 1e6 }));
