// Odds in words, as sim/odds/answers.py and sim/experiments say them.


/** A number with so many decimals; half ways go to the even digit, as Python has it. */
function fixed(x, digits) {
  const scaled = x * 10 ** digits;
  if (Math.abs(scaled) % 1 === .5 && Number.isInteger(x * 2 ** (digits + 1)) && Math.floor(scaled) % 2 === 0) return (Math.floor(scaled) / 10 ** digits).toFixed(digits);
  return x.toFixed(digits);
}

/** Mean and standard error of a histogram: entry k counts the throws in which it is k. */
function meanOf(histogram) {
  const trials = histogram.reduce((a, b) => a + b, 0), total = histogram.reduce((sum, count, k) => sum + k * count, 0);
  const squares = histogram.reduce((sum, count, k) => sum + k * k * count, 0);
  return { trials, value: total / trials, error: trials > 1 ? Math.sqrt((squares * trials - total * total) / (trials * (trials - 1)) / trials) : NaN };
}

/** Half-width of the 95 % interval of the mean number of flips. */
function flipsHalfWidth(histogram) {
  const trials = histogram.reduce((a, b) => a + b, 0), widened = [...histogram];
  const most = Math.min(histogram.reduce((last, count, k) => (count ? k : last), 0) + 1, histogram.length - 1);
  widened[0] += 2;
  widened[most] += 2;
  return facts.odds.z * meanOf(widened).error * Math.sqrt((trials + 4) / trials);
}

/** The normal distribution's share below a value (Abramowitz and Stegun 26.2.17, error below 1e-7). */
function shareBelow(x) {
  const t = 1 / (1 + .2316419 * Math.abs(x)), tail = Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI)
    * horner(t, [0, .31938153, -.356563782, 1.781477937, -1.821255978, 1.330274429]);
  return x > 0 ? 1 - tail : tail;
}

/** The curve through the means of cases, as sim/experiments/curve.py fits it: a Gaussian process over the logarithm of a
 * number, averaged over how far and how soon it moves.
 * @param {number[][]} distances of the k cases, and of more places @param {number[]} means
 * @param {number[][]} covariance of the cases in one throw @param {number[]} trials */
function fitCurve(distances, means, covariance, trials) {
  const { moves, lengths, usualMove, moveSpread, commonLuck, evenThrows, level: away } = facts.curve;
  const count = means.length, places = distances.length, range = (n) => Array.from({ length: n }, (_, k) => k), cases = range(count);
  const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length, fewest = Math.min(...trials);
  const own = cases.map((k) => Math.max(covariance[k][k], 1 / trials[k])), variance = mean(own);
  const spread = cases.map((k) => Math.sqrt((trials[k] * own[k] + evenThrows * variance) / (trials[k] + evenThrows)));
  const raw = cases.map((i) => cases.map((j) => covariance[i][j] / Math.sqrt(own[i] * own[j])));
  const common = count > 1 ? mean(cases.flatMap((i) => cases.filter((j) => j !== i).map((j) => raw[i][j]))) : 0;
  const luck = (i, j) => (i === j ? 1 : (fewest * raw[i][j] + count * Math.max(0, common) + evenThrows * commonLuck) / (fewest + count + evenThrows));
  const noise = cases.map((i) => cases.map((j) => luck(i, j) * spread[i] * spread[j] / Math.max(trials[i], trials[j]) / variance));
  const level = mean(means), scaled = means.map((own) => (own - level) / Math.sqrt(variance)), found = [];
  for (const move of moves) {
    for (const length of lengths) {
      // Matern's covariance of smoothness 3/2, about a level that may be anything.
      const prior = (i, j) => {
        const way = Math.sqrt(3) / length * Math.min(distances[i][j], 1e3);
        return move ** 2 * (1 + way) * Math.exp(-way) + away ** 2;
      };
      // Cholesky, and the solutions of its triangles.
      const factor = cases.map(() => []);
      for (const i of cases) {
        for (let j = 0; j <= i; j++) {
          let sum = prior(i, j) + noise[i][j];
          for (let k = 0; k < j; k++) sum -= factor[i][k] * factor[j][k];
          factor[i][j] = i === j ? Math.sqrt(sum) : sum / factor[j][j];
        }
      }
      const solve = (right) => { const x = []; for (const i of cases) x[i] = (right[i] - range(i).reduce((sum, k) => sum + factor[i][k] * x[k], 0)) / factor[i][i]; return x; };
      const dot = (a, b) => a.reduce((sum, value, k) => sum + value * b[k], 0);
      const seen = range(places).map((place) => solve(cases.map((k) => prior(k, place)))), rest = solve(scaled);
      found.push({
        log: -.5 * (Math.log(move / usualMove) / moveSpread) ** 2 - .5 * dot(rest, rest) - cases.reduce((sum, k) => sum + Math.log(factor[k][k]), 0),
        means: seen.map((row) => level + dot(row, rest) * Math.sqrt(variance)),
        spread: (i, j) => (prior(i, j) - dot(seen[i], seen[j])) * variance,
      });
    }
  }
  const most = Math.max(...found.map(({ log }) => log)), total = found.reduce((sum, { log }) => sum + Math.exp(log - most), 0);
  const average = (of) => found.reduce((sum, one) => sum + Math.exp(one.log - most) / total * of(one), 0);
  const values = range(places).map((k) => average((one) => one.means[k]));
  const gap = (i, j) => {
    const apart = (one) => Math.max(one.spread(i, i) + one.spread(j, j) - 2 * one.spread(i, j), 1e-12);
    return { value: values[i] - values[j], better: average((one) => shareBelow((one.means[i] - one.means[j]) / Math.sqrt(apart(one)))) };
  };
  const errors = () => values.map((value, k) => Math.sqrt(average((one) => one.spread(k, k) + (one.means[k] - value) ** 2)));
  return { values, gap, errors };
}

/** Each case with the probability that it beats the highest one, which stands first; and the leaders. */
function rankCases(curve, count) {
  const best = curve.values.slice(0, count).reduce((top, value, k, all) => (value > all[top] ? k : top), 0);
  const others = Array.from({ length: count }, (_, k) => k).filter((k) => k !== best).map((k) => [k, curve.gap(k, best).better]).sort((a, b) => b[1] - a[1]);
  const ranks = [[best, Math.max(0, 1 - others.reduce((sum, [, chance]) => sum + chance, 0))], ...others], rest = [...ranks];
  let left = 1 - facts.curve.held;
  while (rest.length > 1 && rest.at(-1)[1] <= left) left -= rest.pop()[1];
  return { ranks, leaders: rest.map(([k]) => k).sort((a, b) => a - b) };
}

/** Means and variances of a throw's flips in several tallies, with the usual correlation, or that of shared trials. */
function momentsOf(studies, isPaired) {
  const own = studies.map(({ tally }) => meanOf(tally.flips)), variances = own.map(({ trials, error }) => (trials > 1 ? trials * error * error : 0));
  const shared = isPaired ? studies[0].flips.map((_, t) => studies.map(({ flips }) => flips[t])).filter((row) => row.every((flips) => flips >= 0)) : [];
  const n = shared.length, sum = (of) => shared.reduce((total, row) => total + of(row), 0), k = studies.map((_, index) => index);
  if (isPaired) {
    return { trials: k.map(() => n), means: k.map((i) => sum((row) => row[i]) / n),
      covariance: k.map((i) => k.map((j) => (n * sum((row) => row[i] * row[j]) - sum((row) => row[i]) * sum((row) => row[j])) / (n * (n - 1)))) };
  }
  return { trials: own.map(({ trials }) => trials), means: own.map(({ value }) => value),
    covariance: k.map((i) => k.map((j) => (i === j ? variances[i] : facts.curve.commonLuck * Math.sqrt(variances[i] * variances[j])))) };
}

// ---- sentences of sim/odds/answers.py on flips

const throwsOf = (number) => (number === 1 ? "1 throw" : `${number.toLocaleString("en")} throws`);
const pucksOf = (value) => `${fixed(value, 2)} pucks a throw`;
const sentence = (answer) => `${answer[0].toUpperCase()}${answer.slice(1)}.`;
const listNames = (names, most = 3) => {
  const shownNames = names.length > most ? [...names.slice(0, most), `${names.length - most} more`] : names;
  return shownNames.length === 1 ? shownNames[0] : `${shownNames.slice(0, -1).join(", ")} and ${shownNames.at(-1)}`;
};

function certainty(chance) {
  const sure = Math.max(chance, 1 - chance);
  if (sure > .995) return "surely: over 99 %";
  return `${sure >= .975 ? "surely" : sure >= .8 ? "probably" : "perhaps"}: ${fixed(100 * sure, 0)} %`;
}

function moreThan(value, other) {
  if (Math.abs(value - other) < 1e-9) return "as many as";
  const direction = value > other ? "more" : "fewer";
  if (other <= 0) return `${fixed(Math.abs(value - other), 2)} ${direction} pucks a throw than`;
  if (value >= 2 * other) return `${fixed(value / other, 1)} times as many as`;
  const share = fixed(100 * Math.abs(value / other - 1), 0);
  return share === "0" ? "as many as" : `${share} % ${direction} than`;
}

/** What one case flips, with the interval of it. */
function singleAnswer(name, { tally }) {
  const { value, trials } = meanOf(tally.flips), half = flipsHalfWidth(tally.flips), high = value + half;
  if (value === 0) return `${name} flips nothing in ${throwsOf(trials)} (95 % sure: at most ${pucksOf(high)})`;
  return `${name} flips ${pucksOf(value)} (95 % sure: ${fixed(Math.max(0, value - half), 2)} to ${fixed(high, 2)})`;
}

/** Which of several weights is best, or what the throws do not tell apart. */
function rankingAnswer(masses, curve, trials, anyFlips = true) {
  const { ranks, leaders } = rankCases(curve, masses.length), values = curve.values.slice(0, masses.length).map((value) => Math.max(value, 0));
  const told = masses.map((mass) => general(mass, 4)), last = masses.length - 1;
  const name = (own) => (own.at(-1) - own[0] + 1 === own.length && own.length > 2 ? `${told[own[0]]} to ${told[own.at(-1)]} g` : `${listNames(own.map((k) => told[k]), 4)} g`);
  if (!anyFlips) return `${name(masses.map((_, k) => k))} flip nothing in ${throwsOf(trials)} of each`;
  const [[best, chance], [second]] = ranks, lead = moreThan(values[best], values[second]), than = `${lead} ${name([second])}`;
  if (masses.length === 2) {
    const unsure = chance < .9 ? `not told apart by ${throwsOf(trials)} of each: ` : "";
    return `${unsure}${name([best])} flips ${than}, ${pucksOf(values[best])}${lead === "as many as" ? "" : ` (${certainty(chance)})`}`;
  }
  if (leaders.length === 1) return `${name([best])} flips most, ${pucksOf(values[best])}: ${than} (${certainty(chance)})`;
  const rest = masses.map((_, k) => k).filter((k) => !leaders.includes(k));
  const behind = rest.length ? `; ${name(rest)} ${rest.length > 1 ? "flip" : "flips"} fewer` : "";
  const isTold = leaders.some((k, n) => leaders.slice(n + 1).some((other) => { const { better } = curve.gap(k, other); return !(better < .95 && better > 1 - .95); }));
  if (isTold) return `${name(leaders)} may flip most: ${throwsOf(trials)} cannot tell which${behind}`;
  const mean = leaders.reduce((sum, k) => sum + values[k], 0) / leaders.length, [first, end] = [leaders[0], leaders.at(-1)];
  const span = leaders.length < 3 || end - first >= leaders.length ? `between ${name(leaders)}` : end === last && first > 0 ? `from ${name([first])} on`
    : first === 0 && end < last ? `up to ${name([end])}` : `from ${name(leaders)}`;
  return `${span} no difference that ${throwsOf(trials)} can see (about ${fixed(mean, mean >= 1 ? 1 : 2)} pucks a throw)${behind}`;
}

/** The answer of one weight or of several, as `pucklab odds` says it. */
function oddsAnswer(studies) {
  const masses = studies.map(({ slammer_g }) => slammer_g), thin = studies.find(({ scene }) => scene.slammer.thickness_mm < scene.stack.at(-1).thickness_mm);
  const clause = thin ? `; a slammer of ${general(thin.slammer_g)} g is ${general(thin.scene.slammer.thickness_mm, 2)} mm, thinner than a puck` : "";
  if (studies.length === 1) return singleAnswer(`${general(masses[0])} g`, studies[0]) + clause;
  const fewest = Math.min(...studies.map(({ tally }) => tally.trials - tally.left_out)), anyFlips = studies.some(({ tally }) => tally.flips.slice(1).some(Boolean));
  return rankingAnswer(masses, curveOf(studies), fewest, anyFlips) + clause;
}

/** The curve through some studies, and at more weights. */
function curveOf(studies, more = []) {
  const at = [...studies.map(({ slammer_g }) => slammer_g), ...more], { means, covariance, trials } = momentsOf(studies, false);
  return fitCurve(at.map((a) => at.map((b) => Math.abs(Math.log(a / b)))), means, covariance, trials);
}

/** Compare one case with another that was thrown in the same trials. */
function comparisonAnswer(names, studies, distance) {
  const { trials: [n], means, covariance } = momentsOf(studies, true), curve = fitCurve([[0, distance], [distance, 0]], means, covariance, [n, n]);
  const { value, better } = curve.gap(0, 1), paired = Math.max(0, covariance[0][0] + covariance[1][1] - 2 * covariance[0][1]);
  const needed = value ? Math.ceil(paired * ((facts.odds.z + .8416212335729143) / value) ** 2) : 0;
  const lead = moreThan(curve.values[0], curve.values[1]), sure = lead === "as many as" ? "" : ` (${certainty(better)})`;
  if (Math.max(better, 1 - better) >= .9) return `${names[0]} flips ${lead} ${names[1]}${sure}`;
  const would = needed > 0 && needed < 100000 ? `; about ${Number(needed.toPrecision(2)).toLocaleString("en")} would tell` : "";
  return `not told apart by ${throwsOf(n)} of each: ${names[0]} flips ${lead} ${names[1]}${sure}${would}`;
}

/** A share in plain words: "two throws in three". */
function shareWords(share) {
  if (share >= .995) return "Nearly every throw flips";
  const easy = [[1, 2, "One throw in two"], [1, 3, "One throw in three"], [2, 3, "Two throws in three"], [1, 4, "One throw in four"],
    [3, 4, "Three throws in four"], [1, 5, "One throw in five"], [2, 5, "Two throws in five"], [3, 5, "Three throws in five"], [4, 5, "Four throws in five"],
    [9, 10, "Nine throws in ten"], [1, 10, "One throw in ten"]];
  const [, , words] = easy.reduce((best, own) => (Math.abs(own[0] / own[1] - share) < Math.abs(best[0] / best[1] - share) ? own : best));
  if (share < .075) return share < .0005 ? "Hardly any throw flips" : `${rareWords(share)} flip`;
  return `${words} flip${/^One/.test(words) ? "s" : ""}`;
}

/** A small share: "3 in a thousand". */
function rareWords(share) {
  if (share >= .095) return `${Math.round(10 * share)} throws in ten`;
  if (share >= .0095) return `${Math.round(100 * share)} in a hundred`;
  return share >= .00095 ? `${Math.round(1000 * share)} in a thousand` : "fewer than one in a thousand";
}
