// The motion of a slam: samples that are unpacked or computed, poses between them, the pace at which
// they are shown, the path of a camera that follows, and the sounds of contacts. Lengths are in mm.

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// The numbers of all motions: low bytes first, then high bytes, as differences.
async function unpack(text) {
  const halves = await inflate(text);
  const count = halves.length / 2, numbers = new Int16Array(count);
  for (let k = 0; k < count; k++) numbers[k] = halves[k] | halves[count + k] << 8;
  return numbers;
}

// Gives a slam its times, and the places and quaternions of its pieces, sample by sample.
function restore(slam, numbers, [stepMm, stepTurn, stepS]) {
  const { samples, begin } = slam, rows = 7 * slam.pieces.length;
  slam.times = new Float64Array(samples);
  slam.states = new Float32Array(samples * rows);
  let sum = 0;
  for (let k = 0; k < samples; k++) {
    sum += numbers[begin + k] & 0xffff;
    slam.times[k] = slam.start + sum * stepS;
  }
  for (let row = 0; row < rows; row++) {
    let value = 0;
    const unit = row % 7 < 3 ? stepMm : stepTurn;
    for (let k = 0; k < samples; k++) {
      value += numbers[begin + (row + 1) * samples + k];
      slam.states[k * rows + row] = value * unit;
    }
  }
}

// The numbers of the samples around a time, and its share of the way between them.
function around(time, timeOf, count) {
  let low = 0, high = count - 1;
  while (high - low > 1) {
    const middle = low + high >> 1;
    if (timeOf(middle) <= time) low = middle; else high = middle;
  }
  const span = timeOf(high) - timeOf(low) || 1;
  return [low, high, clamp((time - timeOf(low)) / span, 0, 1)];
}

// Poses of all pieces at a time, between the samples around it.
function posesAt(slam, time) {
  const { times, states } = slam, rows = 7 * slam.pieces.length;
  const [low, high, share] = around(time, (k) => times[k], times.length);
  const poses = new Float32Array(rows);
  for (let k = 0; k < rows; k++) {
    poses[k] = (1 - share) * states[low * rows + k] + share * states[high * rows + k];
  }
  for (let k = 3; k < rows; k += 7) {
    const length = Math.hypot(poses[k], poses[k + 1], poses[k + 2], poses[k + 3]) || 1;
    for (let part = 0; part < 4; part++) poses[k + part] /= length;
  }
  return poses;
}

// The unit quaternion of a turned x axis and a turned z axis.
function quaternionOf([a, b, c], [g, h, i]) {
  const [d, e, f] = [h * c - i * b, i * a - g * c, g * b - h * a], trace = a + e + i;
  let q = [b - d, g + c, h + f, 1 - a - e + i];
  if (trace > 0) q = [trace + 1, f - h, g - c, b - d];
  else if (a > e && a > i) q = [f - h, 1 + a - e - i, d + b, g + c];
  else if (e > i) q = [g - c, d + b, 1 - a + e - i, h + f];
  const size = Math.hypot(...q);
  return q.map((part) => part / size);
}

// Height of the third axis of a quaternion, and of a disc's middle that lies on the floor with it.
const uprightOf = (poses, at) => 1 - 2 * (poses[at + 4] ** 2 + poses[at + 5] ** 2);
const restingHeight = ({ half, radius }, upright) =>
  radius * Math.sqrt(Math.max(1 - upright * upright, 0)) + half * Math.abs(upright);

const APPROACH_MM = 70, APPROACH_SAMPLES = 8;

// Gives a slam the samples of the engine, with the slammer's approach before them.
function takeSamples(slam, { timeS, poses }, throwing, unit) {
  const count = slam.pieces.length, taken = timeS.length, rows = 7 * count, before = APPROACH_SAMPLES;
  slam.times = new Float64Array(before + taken);
  slam.states = new Float32Array((before + taken) * rows);
  const { states } = slam;
  for (let k = 0; k < taken; k++) {
    slam.times[before + k] = Math.sqrt(unit) * timeS[k];
    for (let b = 0; b < count; b++) {
      const from = 9 * (k * count + b), own = poses.subarray(from, from + 9), at = (before + k) * rows + 7 * b;
      const turn = quaternionOf(own.subarray(3, 6), own.subarray(6, 9));
      // A quaternion and its negative are one orientation: that nearer to the sample before.
      const last = k ? states.subarray(at - rows + 3, at - rows + 7) : turn;
      const sign = turn.reduce((sum, part, n) => sum + part * last[n], 0) < 0 ? -1 : 1;
      states.set([unit * own[0], unit * own[1], unit * own[2], ...turn.map((part) => sign * part)], at);
      states[at + 2] = Math.max(states[at + 2], restingHeight(slam.pieces[b], uprightOf(states, at)));
    }
  }
  const first = slam.times[before], lasts = APPROACH_MM / throwing.speed_mm_s, across = Math.sin(throwing.descent_rad);
  const velocity = [across * Math.cos(throwing.direction_rad), across * Math.sin(throwing.direction_rad), -Math.cos(throwing.descent_rad)]
    .map((part) => part * throwing.speed_mm_s);
  for (let k = 0; k < before; k++) {
    const time = lasts * (k / before - 1);
    slam.times[k] = first + time;
    states.copyWithin(k * rows, before * rows, (before + 1) * rows);
    velocity.forEach((part, axis) => { states[(k + 1) * rows - 7 + axis] += part * time; });
  }
}

// ---- pace and camera: those of films, see render/slams/pace.py and camera3d.py

const STILL_MM = 1, TRACK_FPS = 30;

// How many times slower than real a time of a slam is shown.
function slowerAt({ impact_slower: impact, settle_slower: settle, gains }, impactEnd, time) {
  if (impactEnd <= 0) return settle;
  const gained = time < 0 ? -gains[1] * time : gains[0] * Math.max(time - impactEnd, 0);
  return 1 / Math.min(1 / impact + gained, 1 / settle);
}

// The time from which each piece is at rest, as far as can be seen.
function restTimes({ times, states, pieces }) {
  const rows = 7 * pieces.length, end = states.length - rows;
  const normal = (at) => [2 * (states[at + 4] * states[at + 6] + states[at + 3] * states[at + 5]),
    2 * (states[at + 5] * states[at + 6] - states[at + 3] * states[at + 4]), uprightOf(states, at)];
  return pieces.map(({ radius }, b) => {
    const last = end + 7 * b, rest = normal(last);
    let k = times.length - 1;
    for (; k > 0; k--) {
      const at = (k - 1) * rows + 7 * b, own = normal(at);
      const moved = Math.hypot(...[0, 1, 2].map((n) => states[at + n] - states[last + n]));
      if (Math.max(moved, radius * Math.hypot(...own.map((part, n) => part - rest[n]))) > STILL_MM) break;
    }
    return k ? times[k] : times[0];
  });
}

// The times of the frames of a film.
function filmTimes(pace, impactEnd, begin, rest, end) {
  const found = [begin];
  while (found.at(-1) < rest) {
    let time = found.at(-1);
    for (let k = 0; k < 8; k++) time += 1 / TRACK_FPS / 8 / slowerAt(pace, impactEnd, time);
    found.push(time);
  }
  return [...found.slice(0, -1), end];
}

// The shots of a camera that follows: half side and height of what it shows, and its turn, by frame.
function followPath(slam, film) {
  const { half, open, out, wall, pieces } = slam, inner = open ? Infinity : half;
  const last = [open ? Math.min(half, 300) : half + 6, wall], far = 2 * last[0];
  const wide = Math.max(...pieces.map(({ radius }) => radius));
  const wanted = film.map((time) => {
    const poses = posesAt(slam, time), need = [1.8 * wide, 1];
    pieces.forEach((piece, b) => {
      const at = 7 * b, reach = Math.max(Math.abs(poses[at]), Math.abs(poses[at + 1]));
      if (reach > Math.min(inner, out || Infinity, far)) return;
      need[0] = Math.max(need[0], Math.min(reach + piece.radius, inner));
      need[1] = Math.max(need[1], Math.min(poses[at + 2] + restingHeight(piece, uprightOf(poses, at)), far));
    });
    const whole = time < film[0] / 4 || time >= film.at(-1) / 2;
    return whole ? need.map((own, n) => Math.max(own, last[n])) : need;
  });
  const begin = film.findIndex((time) => time >= 0), ease = 10, ahead = 4, weights = [];
  for (let k = 0; k <= 2 * ease; k++) weights.push(.5 - .5 * Math.cos(Math.PI * k / ease));
  const total = weights.reduce((a, b) => a + b);
  const axes = [0, 1].map((axis) => {
    const own = wanted.map((need) => need[axis]), grown = [...own], shrunk = [...own];
    // From the contact on it grows up to its largest, then shrinks, each once.
    for (let k = begin + 1; k < own.length; k++) grown[k] = Math.max(grown[k], grown[k - 1]);
    for (let k = own.length - 2; k >= begin; k--) shrunk[k] = Math.max(shrunk[k], shrunk[k + 1]);
    const logs = own.map((value, k) => Math.log(k < begin ? value : Math.min(grown[k], shrunk[k])));
    const at = (k) => logs[clamp(k, 0, logs.length - 1)];
    const largest = (k) => { let most = -1e9; for (let n = k - ahead; n <= k + ahead; n++) most = Math.max(most, at(n)); return most; };
    const most = [];
    for (let k = -ease; k < own.length + ease; k++) most.push(largest(k));
    return own.map((_, k) => Math.exp(weights.reduce((sum, weight, n) => sum + weight * most[k + n], 0) / total));
  });
  return film.map((time, k) => [time, axes[0][k], axes[1][k], .35 * (1 - Math.exp(-Math.max(time, 0) / .5))]);
}

// The closest camera in a direction that has all points in its picture.
function framePoints({ azimuth, elevation, field }, points, aspect, [sides, top, bottom] = [.96, .78, .96]) {
  const axes = axesOf(azimuth, elevation), tall = Math.tan(field / 2), dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const seen = points.map((point) => axes.map((axis) => dot(point, axis)));
  const most = (own) => Math.max(...seen.map(own));
  const [side, above, below] = [sides * tall * aspect, top * tall, bottom * tall];
  const right = most(([x, , z]) => x + side * z), left = most(([x, , z]) => -x + side * z);
  const up = most(([, y, z]) => y + above * z), down = most(([, y, z]) => -y + below * z);
  const distance = Math.max((right + left) / (2 * side), (up + down) / (above + below));
  const spare = distance * (above + below) - up - down, x = (right - left) / 2, y = up - distance * above + spare / 2;
  return { azimuth, elevation, field, distance, target: [0, 1, 2].map((k) => x * axes[0][k] + y * axes[1][k]) };
}

const blockCorners = (half, height) =>
  [-half, half].flatMap((x) => [-half, half].flatMap((y) => [0, height].map((z) => [x, y, z])));

// ---- sounds: contacts are sudden changes of velocity, see render/slams/sound.py

function contactSounds(slam, masses, pace, rules) {
  const { pieces, impactEnd, half, open } = slam, count = pieces.length, found = [];
  const spans = [[0, impactEnd, 5000, rules.suddenImpact], [impactEnd, slam.times.at(-1), 1000, rules.sudden]];
  for (const [begin, end, rate, sudden] of spans) {
    const steps = Math.floor((end - begin) * rate), places = [];
    for (let k = 0; k <= steps; k++) places.push(posesAt(slam, begin + k / rate));
    for (let b = 0; b < count; b++) {
      const kick = (k) => [0, 1, 2].map((n) => (places[k + 1][7 * b + n] - 2 * places[k][7 * b + n] + places[k - 1][7 * b + n]) * rate / 1000
        + (n === 2 ? 9.81 / rate : 0));
      const kicks = [], sizes = [0];
      for (let k = 1; k < steps; k++) { kicks[k] = kick(k); sizes[k] = Math.hypot(...kicks[k]); }
      for (let k = 1; k < steps; k++) {
        if (!(sizes[k] > sudden && sizes[k] >= sizes[k - 1] && sizes[k] > (sizes[k + 1] || 0))) continue;
        const whole = [0, 1, 2].map((n) => [k - 1, k, k + 1].reduce((sum, j) => sum + (kicks[j]?.[n] || 0), 0));
        const at = places[k], [x, y, z] = at.subarray(7 * b, 7 * b + 3), up = uprightOf(at, 7 * b), { radius } = pieces[b];
        const low = z - restingHeight(pieces[b], up), out = Math.max(Math.abs(x), Math.abs(y)) + radius * Math.abs(up) - half;
        found.push({ time: begin + k / rate, energy: masses[b] / 2000 * whole.reduce((sum, part) => sum + part * part, 0),
          disc: discVoice(pieces[b], rules), board: !open && Math.abs(out) < rules.near ? "wall" : low < rules.near ? "wood" : "", side: x / half });
      }
    }
  }
  found.sort((a, b) => a.time - b.time);
  const groups = [];
  for (const contact of found) {
    const first = groups.at(-1)?.[0];
    if (first && contact.time - first.time < rules.merged / slowerAt(pace, impactEnd, contact.time)) groups.at(-1).push(contact);
    else groups.push([contact]);
  }
  const place = (side) => .7 * clamp(side, -1, 1);
  const sounds = groups.flatMap((group) => {
    const loudest = group.reduce((a, b) => (b.energy > a.energy ? b : a)), energy = group.reduce((sum, one) => sum + one.energy, 0);
    const loudness = Math.min((energy / rules.loudest) ** rules.power, 1);
    if (loudness < rules.quietest) return [];
    return [loudest.disc, loudest.board].filter(Boolean).map((voice) => [group[0].time, voice, loudness, place(loudest.side)]);
  });
  const flips = pieces.map((piece, b) => [piece.rest, b]).filter(([, b]) => pieces[b].mark === "flipped").sort((a, b) => a[0] - b[0]);
  flips.forEach(([time, b], step) => sounds.push([time, `chime${Math.min(step, 9)}`, rules.chime, place(slam.states[slam.states.length - 7 * (count - b)] / half)]));
  return sounds.sort((a, b) => a[0] - b[0]);
}

// The name of a disc's voice; the voice of a new one is added to those that are known.
function discVoice({ half, radius }, { voices, modes, scale, loss, highest, usualRadius }) {
  const thickness = Math.min(2 * half * (usualRadius / radius) ** 2, 12), name = `disc${thickness.toFixed(2)}`;
  voices[name] ??= { length_s: .05, noise: .2, noise_decay_s: .0007, tones: modes.map((mode) => mode * scale * thickness)
    .filter((hz) => hz < highest).map((hz, step) => [hz, 1 / (Math.PI * hz * loss), .5 * .72 ** step]) };
  return name;
}
