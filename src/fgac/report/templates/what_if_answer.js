// From distances to bounds, degrees, labels and arguments (granular/membership.py, granular/boundaries.py,
// granular/extension.py and explainers/). `answer(model, values)` is all that others need.
const fgacAnswer = (() => {
  const { readRow, distances, rowOfPoint, interp, softmax, excess, beyond, clip } = fgacModel;
  const N_ARGUMENTS = 3, MERGE_SIMILARITY = 0.95;

  // As numpy.round: multiply, round half to even, divide.
  function rounded(numbers, digits) {
    const scale = 10 ** digits;
    return numbers.map((x) => {
      const product = x * scale, low = Math.floor(product), part = product - low;
      const whole = part > 0.5 || (part === 0.5 && low % 2) ? low + 1 : low;
      return Number.isFinite(whole) ? whole / scale : x;
    });
  }

  const argmax = (values) => values.reduce((best, value, k) => (value > values[best] ? k : best), 0);

  // Which of two nodes comes first: that of the larger strength; of equal ones, that of the smaller step, then of the
  // class that wins ties.
  function byStrength(strengths, steps, digits, placeOf) {
    const [strength, step] = [rounded(strengths, digits), rounded(steps, digits)];
    return (a, b) => strength[b] - strength[a] || step[a] - step[b] || placeOf(a) - placeOf(b) || a - b;
  }

  // ---- Memberships (granular/membership.py)

  // Distances from a row to the nodes of a part, as each of them is oriented.
  function distancesOfPart(model, part, row) {
    const found = distancesBySide(model, row);
    const n = part.beta.length, out = new Float64Array(n);
    for (let u = 0; u < n; u++) {
      const place = part.places ? part.places[u] : u;
      out[u] = (part.orientation && part.orientation[u] < 0 ? found.below : found.above)[place];
    }
    return out;
  }

  // All boundaries of ordered classes look at the same distances.
  function distancesBySide({ space }, row) {
    if (!row.bySide) {
      const above = distances(space, row, 1);
      row.bySide = { above, below: space.points.n_ordered ? distances(space, row, -1) : above };
    }
    return row.bySide;
  }

  function largest(values, far, gamma, start, stop) {
    let best = -Infinity;
    for (let u = start; u < stop; u++) {
      const value = values[u] - gamma * far[u];
      if (value > best) best = value;
    }
    return best;
  }

  function memberships(part, gamma, far) {
    const n = far.length, K = part.classes.length;
    const support = part.classes.map((_, k) => largest(part.beta, far, gamma, part.starts[k], part.starts[k + 1]));
    const against = K === 2
      ? [support[1], support[0]]
      : part.classes.map((_, k) => largest(part.opposition.subarray(k * n, (k + 1) * n), far, gamma, 0, n));
    const low = support.map((s) => Math.max(0, s)), high = against.map((a) => 1 - Math.max(0, a));
    return {
      lower: low.map((x, k) => Math.min(x, high[k])),
      upper: low.map((x, k) => Math.max(x, high[k])),
      degree: low.map((x, k) => 0.5 * (x + high[k])),
      support,
    };
  }

  function tiedClasses(degree, tolerance) {
    const most = Math.max(...degree);
    return degree.flatMap((d, k) => (d >= most - tolerance ? [k] : []));
  }

  function breakTies(model, part, degree, support) {
    const tied = tiedClasses(degree, model.tolerances.tie);
    if (tied.length < 2) return degree;
    const scores = [...degree];
    const winner = part.ties === "first" ? tied[0] : nearestClass(model, part, tied, support);
    scores[winner] = Math.max(...degree) + model.tolerances.nudge;
    return scores;
  }

  function nearestClass(model, part, tied, support) {
    const most = Math.max(...tied.map((k) => support[k]));
    const best = tied.filter((k) => support[k] >= most - model.tolerances.tie);
    return best.reduce((first, k) => (part.tie_order[k] < part.tie_order[first] ? k : first));
  }

  function judge(model, part, row) {
    const far = distancesOfPart(model, part, row);
    const seen = memberships(part, model.gamma, far);
    return { far, ...seen, scores: breakTies(model, part, seen.degree, seen.support) };
  }

  // ---- Arguments (explainers/base.py, explainers/classification.py)

  function classOf(part, node) {
    return part.starts.findLastIndex((start) => start <= node);
  }

  // Nodes that are one argument with a node: nearly equal ones from start to stop.
  function nearDuplicates(model, part, node, start, stop) {
    if (!part.duplicates.has(node)) {
      const place = (u) => (part.places ? part.places[u] : u);
      const far = distances(model.space, rowOfPoint(model.space, place(node)), 0);
      const near = new Set([node]);
      for (let u = start; u < stop; u++) {
        if (Math.max(1, model.gamma) * far[place(u)] <= 1 - MERGE_SIMILARITY) near.add(u);
      }
      part.duplicates.set(node, near);
    }
    return part.duplicates.get(node);
  }

  // The strongest node of every group, and the training rows of the group. A few searches for the first of all nodes
  // take less time than sorting them.
  function groups(model, part, nodes, compare, mergeable) {
    const found = [];
    let left = nodes;
    while (left.length && found.length < N_ARGUMENTS) {
      const node = left.reduce((first, u) => (compare(u, first) < 0 ? u : first));
      const near = nearDuplicates(model, part, node, ...mergeable(node));
      const group = left.filter((u) => near.has(u)).sort(compare);
      found.push({ node, ids: group.flatMap((u) => idsOf(model, part, u)) });
      left = left.filter((u) => !near.has(u));
    }
    return found;
  }

  function idsOf(model, part, node) {
    const rows = part.members.subarray(part.member_starts[node], part.member_starts[node + 1]);
    return Array.from(rows, (row) => model.ids[row]);
  }

  function sideOf(model, part, far, degreeOf) {
    const { strength: least, digits } = model.tolerances, gamma = model.gamma;
    const height = far.map((d, u) => degreeOf(u) - gamma * d), nodes = [];
    for (let u = 0; u < far.length; u++) if (height[u] > least) nodes.push(u);
    const compare = byStrength(height, far.map((d) => gamma * d), digits, (u) => part.tie_order[classOf(part, u)]);
    const mergeable = (u) => part.starts.slice(classOf(part, u), classOf(part, u) + 2);
    return groups(model, part, nodes, compare, mergeable).map((group) => argument(model, part, far, group, degreeOf(group.node)));
  }

  function argument(model, part, far, { node, ids }, degree) {
    const step = model.gamma * far[node];
    return {
      id: ids[0],
      alike: ids.slice(1),
      label: classOf(part, node),
      membership: part.beta[node],
      degree,
      distance: far[node],
      similarity: Math.max(0, 1 - step),
      strength: Math.max(0, degree - step),
    };
  }

  // Why a row that was judged is, or is not, in class k.
  function explain(model, part, seen, k) {
    const { far, lower, upper, degree } = seen, n = far.length, K = part.classes.length;
    const isOwn = (u) => part.starts[k] <= u && u < part.starts[k + 1];
    const against = (u) => (K === 2 ? (isOwn(u) ? -Infinity : part.beta[u]) : part.opposition[k * n + u]);
    const tied = tiedClasses(degree, model.tolerances.tie);
    const others = degree.map((d, c) => (c === k ? -Infinity : d));
    const second = K === 1 ? null : argmax(breakTies(model, part, others, seen.support));
    const margin = second === null ? 1 : degree[k] - degree[second];
    const nothing = Math.max(...lower) <= model.tolerances.strength && Math.min(...upper) >= 1 - model.tolerances.strength;
    return {
      prediction: k,
      lower,
      upper,
      degree,
      margin,
      runnerUp: second,
      radius: Math.max(0, 0.5 * (margin - 1.001 * model.tolerances.tie)) / model.gamma,
      tied: tied.length > 1 ? tied : [],
      resemblesNothing: nothing,
      nearest: nothing ? nearest(model, part, far, (u) => (isOwn(u) ? part.beta[u] : 1 - against(u))) : null,
      argumentsFor: sideOf(model, part, far, (u) => (isOwn(u) ? part.beta[u] : -Infinity)),
      argumentsAgainst: sideOf(model, part, far, against),
    };
  }

  // The node that comes nearest to being an argument for its class.
  function nearest(model, part, far, degreeOf) {
    let node = 0;
    const height = (u) => part.beta[u] - model.gamma * far[u];
    for (let u = 1; u < far.length; u++) if (height(u) > height(node)) node = u;
    return { ...argument(model, part, far, { node, ids: idsOf(model, part, node) }, degreeOf(node)), strength: 0 };
  }

  // ---- Probabilities (granular/calibration.py)

  function probabilities(calibration, degrees) {
    if (calibration.knots.length) {
      const over = degrees.at(-1) - (degrees.length > 1 ? degrees[0] : 1 - degrees[0]);
      const second = interp(over, calibration.knots, calibration.levels);
      return [1 - second, second];
    }
    const { coefficients, intercepts, bends } = calibration;
    const bent = [degrees, ...bends.map((limit) => degrees.map((d) => Math.max(0, d - limit)))].flat();
    const seen = coefficients.length === degrees.length ? degrees : bent;
    return softmax(intercepts.map((start, k) => seen.reduce((sum, x, i) => sum + x * coefficients[i][k], 0) + start));
  }

  function reliability(calibration, degrees, k) {
    if (!calibration) return null;
    const confidence = probabilities(calibration, degrees)[k];
    const before = calibration.confidences.findIndex((limit) => limit >= confidence);
    const group = before < 0 ? calibration.confidences.length : before;
    return { confidence, cases: calibration.cases[group], right: calibration.right[group] };
  }

  // ---- Kinds of models

  function answerClasses(model, row) {
    const [part] = model.parts, seen = judge(model, part, row);
    const found = explain(model, part, seen, argmax(seen.scores));
    found.reliability = found.resemblesNothing ? null : reliability(model.calibration, seen.scores, found.prediction);
    return found;
  }

  // Ordered classes (granular/boundaries.py): how many boundaries a row is above.
  function answerOrdered(model, row) {
    const seen = model.parts.map((part) => judge(model, part, row));
    const levels = Object.fromEntries(["lower", "upper", "degree"].map((name) => {
      let least = Infinity; // nested but for rounding, which is taken out
      return [name, seen.map((each) => (least = Math.min(least, each[name][1])))];
    }));
    const c = seen.filter((each) => argmax(each.scores) === 1).length;
    const both = (these, following) =>
      model.classes.map((_, k) => Math.min(k ? these[k - 1] : 1, 1 - (following[k] ?? 0)));
    const at = (b, side) => (seen[b] ? explain(model, model.parts[b], seen[b], side) : null);
    const below = at(c - 1, 1), above = at(c, 0), sides = [below, above].filter(Boolean);
    const nothing = sides.length > 0 && sides.every((side) => side.resemblesNothing);
    return {
      prediction: c,
      lower: both(levels.lower, levels.upper),
      upper: both(levels.upper, levels.lower),
      degree: both(levels.degree, levels.degree),
      levels,
      below,
      above,
      margin: Math.min(1, ...sides.map((side) => side.margin)),
      radius: sides.length ? Math.min(...sides.map((side) => side.radius)) : 0.5 / model.gamma,
      resemblesNothing: nothing,
      reliability: nothing ? null : reliability(model.calibration, levels.degree, c),
    };
  }

  // Numbers (granular/extension.py, explainers/regression.py)
  function bounds(model, row) {
    const { gamma, values, negated, limits, farthest_bound: farthest } = model;
    const { above, below } = distancesBySide(model, row), isDirected = model.space.points.n_ordered > 0;
    const [lower, lowest] = highest(values, below, gamma), [negative, uppermost] = highest(negated, above, gamma);
    const [least, most] = limits;
    let ends = [clip(lower, -farthest, farthest), clip(-negative, -farthest, farthest)];
    if (isDirected) ends = [Math.max(ends[0], least), Math.min(ends[1], most)];
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
    const isOne = !isDirected && lowest === uppermost;
    const middle = isOne ? values[lowest] : clip(0.5 * low + 0.5 * high, least, most);
    const toUserScale = (x) => model.low + model.span * x;
    return { lower: toUserScale(low), upper: toUserScale(high), prediction: toUserScale(middle), above, below };
  }

  function highest(values, far, gamma) {
    let best = -Infinity, node = -1;
    for (let u = 0; u < values.length; u++) {
      const value = values[u] - gamma * far[u];
      if (value > best) [best, node] = [value, u];
    }
    return [best, node];
  }

  function predictionInterval(model, row, values, { prediction }) {
    const interval = model.interval, [least, most] = model.range;
    if (!interval) return null;
    if (interval.spread) return aroundPrediction(model, values, prediction, least, most);
    const ends = interval.ends.map((end, i) => bounds({ ...model, ...end, gamma: interval.gammas[i] }, row));
    const lower = ends[0].lower - interval.margin, upper = ends.at(-1).upper + interval.margin;
    const middle = 0.5 * lower + 0.5 * upper;
    return [clip(Math.min(lower, middle), least, most), clip(Math.max(upper, middle), least, most)];
  }

  function aroundPrediction(model, values, prediction, least, most) {
    const { spread, below, above, least: smallest, largest } = model.interval;
    const off = Math.max(smallest, bounds(spread, readRow(spread.space, values)).prediction);
    const room = Math.min(model.slope * excess(model.space, values), largest);
    const [lower, upper] = [prediction + below * off, prediction + above * off];
    return room > 0 ? [lower - room, upper + room] : [clip(lower, least, most), clip(upper, least, most)];
  }

  function answerNumbers(model, row, values) {
    const { above, below, ...found } = bounds(model, row);
    const [low, high] = model.usual ?? model.range;
    return {
      ...found,
      interval: predictionInterval(model, row, values, found),
      resemblesNothing: high > low && found.lower <= low && found.upper >= high,
      atLeast: sideOfNumber(model, below, -1),
      atMost: sideOfNumber(model, above, 1),
    };
  }

  function sideOfNumber(model, far, sign) {
    const { values, gamma } = model, { strength: least, digits } = model.tolerances;
    const says = (u) => values[u] + sign * Math.min(gamma * far[u], model.farthest_bound);
    const strengths = far.map((_, u) => (sign < 0 ? says(u) : 1 - says(u))), nodes = [];
    let strongest = 0;
    for (let u = 0; u < values.length; u++) {
      if (strengths[u] > least) nodes.push(u);
      if (strengths[u] > strengths[strongest]) strongest = u;
    }
    if (!model.space.points.n_ordered && !nodes.length) nodes.push(strongest);
    const compare = byStrength(strengths, far, digits, () => 0);
    return groups(model, model, nodes, compare, () => [0, values.length]).map(({ node, ids }) => ({
      id: ids[0],
      alike: ids.slice(1),
      target: model.targets[node],
      fitted: model.low + model.span * values[node],
      says: model.low + model.span * says(node),
      distance: far[node],
      similarity: Math.max(0, 1 - gamma * far[node]),
      strength: clip(strengths[node], 0, 1),
    }));
  }

  const KINDS = { classes: answerClasses, ordered: answerOrdered, numbers: answerNumbers };

  function answer(model, values) {
    const row = model.space ? readRow(model.space, values) : {};
    const found = KINDS[model.kind](model, row, values);
    found.unknown = values.flatMap((value, j) => (value === null ? [j] : []));
    found.beyond = model.space ? beyond(model.space, values) : [];
    return found;
  }

  return { load: fgacModel.load, answer };
})();
