"use strict";
// The kernels of the solid engine, in a page or in node: memory, arrays, and calls. The module is
// pucklab-wasm32.wasm; results have the bits that Python's have.

const THROW_NUMBERS = 11, RESULT_NUMBERS = 5, POSE_NUMBERS = 9;
const FACES = ["down", "up", "leaning", "out"];

// Return kernels by name: functions of numbers and of arrays that `lay` has laid into their memory.
function openKernels(module) {
  const { memory, __heap_base: heap, ...code } = new WebAssembly.Instance(module, {}).exports;
  const begin = heap.value + 63 & ~63;
  let free = begin;

  // Lay an array of 8 bytes a number (or of bytes) into the memory; its values are set, or any.
  function lay(shape, values, size = 8) {
    const at = free, length = shape.reduce((all, axis) => all * axis, 1);
    free = at + length * size + 63 & ~63;
    const more = free - memory.buffer.byteLength;
    if (more > 0) memory.grow(more + 65535 >> 16);
    if (values) new (values instanceof BigInt64Array ? BigInt64Array : Float64Array)(memory.buffer, at, length).set(values);
    return { at, shape, length };
  }

  // Call a kernel with a block of whole numbers and of arrays: each is an address and its axes.
  function call(name, values) {
    const block = values.flatMap((value) => (typeof value === "number" ? [value] : [value.at, ...value.shape]));
    const at = lay([block.length], BigInt64Array.from(block, BigInt)).at;
    return Number(code[`physics_solid_kernel_${name}`](at));
  }

  return {
    lay, call,
    clear: () => { free = begin; },
    numbers: ({ at, length }) => new Float64Array(memory.buffer, at, length).slice(),
    bytes: () => memory.buffer.byteLength,
    knownAnswer: () => Number(code.base_elementary_known_answer(lay([1]).at)),
  };
}

// Return a seed as four words of 32 bits.
function wordsOf(seed) {
  return BigInt64Array.from([0n, 32n, 64n, 96n], (by) => BigInt(seed) >> by & 0xFFFFFFFFn);
}

// Return an engine for throws at a scene: its block, and that of its thrower, as arrays of numbers.
function openEngine(module, scene, thrower) {
  const kernels = openKernels(module), bodies = scene[0], numbers = THROW_NUMBERS + 2 * (bodies - 1);

  const scratch = () => kernels.lay([bodies * (bodies + 9) * 3000 + 50000], null, 1);

  // Simulate a throw, or the trial of a seed; `samples` is the room for samples of the motion.
  function simulate({ seed = 0, trial = 0, throwing = null, samples = 0 }) {
    kernels.clear();
    const { lay } = kernels, thrown = lay([1, numbers], throwing && Float64Array.from(throwing));
    const result = lay([1, RESULT_NUMBERS + 3 * bodies]);
    const log = [lay([samples]), lay([samples]), lay([samples, bodies, POSE_NUMBERS])];
    const own = throwing ? lay([0]) : lay([thrower.length], Float64Array.from(thrower));
    const done = kernels.call("throw_slams", [
      lay([scene.length], Float64Array.from(scene)), own, lay([4], wordsOf(seed)), trial, thrown, result,
      ...log, scratch(), lay([1], BigInt64Array.of(0n)),
    ]);
    if (done !== 1) throw new Error("the kernel was given wrong sizes");
    const [hit, taken, startNj, peakNj, lastNj, ...ends] = kernels.numbers(result);
    if (samples && taken > samples) return simulate({ seed, trial, throwing, samples: taken });
    const [timeS, energyNj, poses] = log.map(kernels.numbers);
    return {
      hit: hit === 1, taken, startNj, peakNj, lastNj, throwing: kernels.numbers(thrown),
      bodies: Array.from({ length: bodies }, (_, k) => ({ face: FACES[ends[3 * k]], x: ends[3 * k + 1], y: ends[3 * k + 2] })),
      timeS: timeS.subarray(0, taken), energyNj: energyNj.subarray(0, taken),
      poses: poses.subarray(0, taken * bodies * POSE_NUMBERS),
    };
  }

  // Simulate trials of a seed; return a row of results for each, see solid/kernel.py.
  function simulateMany(seed, first, count) {
    kernels.clear();
    const { lay } = kernels, result = lay([count, RESULT_NUMBERS + 3 * bodies]), empty = lay([0]);
    const done = kernels.call("throw_slams", [
      lay([scene.length], Float64Array.from(scene)), lay([thrower.length], Float64Array.from(thrower)),
      lay([4], wordsOf(seed)), first, lay([count, numbers]), result, empty, empty, lay([0, bodies, POSE_NUMBERS]),
      scratch(), lay([1], BigInt64Array.of(0n)),
    ]);
    if (done !== count) throw new Error("the kernel was given wrong sizes");
    return kernels.numbers(result);
  }

  // Return the throw of a trial of a seed.
  function draw(seed, trial) {
    kernels.clear();
    const { lay } = kernels, thrown = lay([1, numbers]);
    const own = lay([thrower.length], Float64Array.from(thrower));
    kernels.call("draw_throws", [own, lay([4], wordsOf(seed)), trial, thrown, scratch()]);
    return kernels.numbers(thrown);
  }

  return { simulate, simulateMany, draw, bytes: kernels.bytes, knownAnswer: kernels.knownAnswer };
}
