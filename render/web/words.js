// Odds in words, as sim/odds/answers.py and sim/experiments say them.

const Z_95 = 1.959963984540054;

/** Mean and standard error of a histogram: entry k counts the throws in which it is k. */
function meanOf(histogram) {
  const trials = histogram.reduce((a, b) => a + b, 0), total = histogram.reduce((sum, count, k) => sum + k * count, 0);
  const squares = histogram.reduce((sum, count, k) => sum + k * k * count, 0);
  return { trials, value: total / trials, error: trials > 1 ? Math.sqrt((squares * trials - total * total) / (trials * (trials - 1)) / trials) : NaN };
}

/** Half-width of the 95 % interval of the mean number of flips. */
function flipsHalfWidth(histogram, z = Z_95) {
  const trials = histogram.reduce((a, b) => a + b, 0), widened = [...histogram];
  const most = Math.min(histogram.reduce((last, count, k) => (count ? k : last), 0) + 1, histogram.length - 1);
  widened[0] += 2;
  widened[most] += 2;
  return z * meanOf(widened).error * Math.sqrt((trials + 4) / trials);
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
