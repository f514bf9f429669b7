"use strict";
// What a fitted model says of one row, computed as fgac computes it: from values to coordinates, from these to distances,
// bounds, a label and its arguments. Functions have the names they have in Python (tables/, metrics/, granular/ and
// explainers/); the model is the value that explainers/portable.py makes. A row is a list of values, one per column: a
// number, the number of a category, or null where the value is unknown.
const fgacModel = (() => {
  // ---- Reading the model: arrays are base64 of little-endian numbers

  function unpacked(text, Type = Float64Array) {
    return new Type(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)).buffer);
  }

  function load(plain) {
    const model = { ...plain };
    if (plain.space) model.space = loadSpace(plain.space);
    if (plain.kind === "numbers") return loadNumbers(model);
    model.parts = plain.parts.map((part) => ({
      ...part,
      ...loadMembers(part),
      places: part.places === null ? null : unpacked(part.places, Int32Array),
      beta: unpacked(part.beta),
      opposition: part.opposition === null ? null : unpacked(part.opposition),
      orientation: part.orientation === null ? null : unpacked(part.orientation),
      duplicates: new Map(),
    }));
    const calibration = plain.calibration;
    model.calibration = calibration && {
      ...calibration,
      knots: unpacked(calibration.knots),
      levels: unpacked(calibration.levels),
      confidences: unpacked(calibration.confidences),
    };
    return model;
  }

  function loadNumbers(model) {
    Object.assign(model, loadMembers(model));
    model.values = unpacked(model.values);
    model.targets = unpacked(model.targets);
    Object.assign(model, valuesOf(model.values), { range: extremes(model.targets) });
    model.duplicates = new Map();
    const interval = model.interval;
    if (interval?.spread) {
      const spread = { ...interval.spread, space: loadSpace(interval.spread.space) };
      model.interval = { ...interval, spread: loadNumbers(spread) };
    } else if (interval) {
      model.interval = { ...interval, ends: interval.ends.map((end) => valuesOf(unpacked(end))) };
    }
    return model;
  }

  const extremes = (numbers) => numbers.reduce(([low, high], x) => [Math.min(low, x), Math.max(high, x)], [Infinity, -Infinity]);

  // What bounds look at again and again.
  function valuesOf(values) {
    return { values, negated: values.map((value) => -value), limits: extremes(values) };
  }

  function loadMembers(part) {
    return { members: unpacked(part.members, Int32Array), member_starts: unpacked(part.member_starts, Int32Array) };
  }

  function loadSpace(space) {
    const { points, score } = space;
    const loaded = {
      ...space,
      columns: space.columns.map((column) => ({ ...column, ranks: column.ranks?.map((part) => unpacked(part)) ?? null })),
      score: score && {
        ...score,
        knots: score.knots.map((knots) => unpacked(knots)),
        heights: score.heights.map((heights) => unpacked(heights)),
      },
      points: {
        ...points,
        numeric: unpacked(points.numeric),
        codes: unpacked(points.codes, Int32Array),
        ordered: unpacked(points.ordered),
      },
    };
    if (space.metric === "angular") loaded.points.units = directionsOfPoints(loaded.points);
    return loaded;
  }

  // ---- Tables: from values to coordinates (tables/columns.py, tables/table.py)

  const clip = (x, low, high) => Math.min(Math.max(x, low), high);

  // As numpy.interp, operation by operation.
  function interp(x, knots, heights) {
    const last = knots.length - 1;
    if (x >= knots[last]) return heights[last];
    if (x < knots[0]) return heights[0];
    let low = 0, high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (knots[middle] <= x) low = middle;
      else high = middle;
    }
    if (knots[low] === x) return heights[low];
    const slope = (heights[low + 1] - heights[low]) / (knots[low + 1] - knots[low]);
    const found = slope * (x - knots[low]) + heights[low];
    if (Number.isFinite(found)) return found;
    const part = clip((x - knots[low]) / (knots[low + 1] - knots[low]), 0, 1);
    return heights[low] + part * (heights[low + 1] - heights[low]);
  }

  function scaled(column, value) {
    if (value === null) return column.middle;
    return column.ranks ? interp(value, ...column.ranks) : (value - column.origin) / column.scale;
  }

  function ownRow(space, values) {
    const row = { numeric: [], codes: [], ordered: [] };
    space.columns.forEach((column, j) => {
      if (column.categories) {
        row.codes.push(values[j] === null || !column.categories.length ? space.unknown : values[j]);
        return;
      }
      const place = column.factor ? scaled(column, values[j]) * column.factor : 0;
      const coordinate = clip(place, -space.farthest, space.farthest);
      if (column.direction) row.ordered.push(column.direction * coordinate);
      else row.numeric.push(coordinate);
    });
    for (const j of space.marked) row.numeric.push(values[j] === null ? space.columns[j].mark : 0);
    return row;
  }

  function readRow(space, values) {
    const row = ownRow(space, values);
    if (space.score) row.numeric.push(...scoreCoordinates(space, row));
    return row;
  }

  // How far a row would be from the training rows, did ranks go on where they end (Table.excess).
  function excess(space, values) {
    let found = 0;
    space.columns.forEach((column, j) => {
      if (!column.ranks || !column.beyond || values[j] === null) return;
      const [low, high] = column.ends;
      const far = Math.max(low - values[j], values[j] - high) / (high - low || column.scale);
      found += column.beyond * Math.max(0, far);
    });
    return Math.min(found, space.farthest);
  }

  function beyond(space, values) {
    return space.columns.flatMap(({ ends }, j) =>
      ends && values[j] !== null && (values[j] < ends[0] || values[j] > ends[1]) ? [j] : [],
    );
  }

  // ---- Scores (tables/scores.py)

  function sums(score, row) {
    const found = [...score.intercepts];
    score.slopes.forEach((slopes, place) => addNumber(found, score, place, slopes, row.numeric[place]));
    row.codes.forEach((code, place) => {
      if (code >= 0) score.steps[place][code].forEach((step, k) => (found[k] += step));
    });
    return found;
  }

  function addNumber(found, score, place, slopes, x) {
    const knots = score.knots[place];
    slopes.forEach((slope, k) => {
      let added = x * slope;
      if (knots?.length) {
        const heights = score.heights[place].subarray(k * knots.length, (k + 1) * knots.length);
        added += interp(x, knots, heights);
      }
      found[k] += added;
    });
  }

  function softmax(logits) {
    const largest = Math.max(...logits);
    const odds = logits.map((logit) => Math.exp(logit - largest));
    const total = odds.reduce((a, b) => a + b, 0);
    return odds.map((part) => part / total);
  }

  function scoreCoordinates({ score, farthest }, row) {
    const found = sums(score, row);
    if (found.length === 1) return [clip(score.weight * found[0], -farthest, farthest)];
    const probabilities = softmax(found);
    if (score.is_ordered) return atLeastOf(probabilities).map((p) => p * (score.weight / (found.length - 1)));
    return found.length === 2 ? [probabilities[1] * score.weight] : probabilities.map((p) => p * (0.5 * score.weight));
  }

  // Probabilities of being at least of a class, for every class but the lowest.
  function atLeastOf(probabilities) {
    let total = 0;
    return probabilities.slice(1).reverse().map((p) => (total += p)).reverse();
  }

  // ---- Distances (_kernels/distances.py): from one row to all points, which are stored column by column

  // Of ordered coordinates count those that are above the points (orientation 1) or below them (-1), or both (0).
  function distances(space, row, orientation) {
    const { points, metric } = space;
    if (metric === "angular") return angles(points, row);
    const out = new Float64Array(points.n), add = ADD[metric];
    points.numeric_places.forEach((place, f) => add(out, row.numeric[place], columnOf(points.numeric, f, points.n)));
    if (!orientation) addOrdered(out, add, points, row, 0);
    points.code_places.forEach((place, f) => {
      const mismatch = points.mismatch[f], codes = columnOf(points.codes, f, points.n);
      addCodes(out, metric, row.codes[place], codes, mismatch, space.unknown);
    });
    if (orientation) addOrdered(out, add, points, row, orientation);
    if (metric === "euclidean") for (let i = 0; i < out.length; i++) out[i] = Math.sqrt(out[i]);
    return out;
  }

  const columnOf = (matrix, f, n) => matrix.subarray(f * n, (f + 1) * n);

  const ADD = {
    euclidean(out, x, y) {
      for (let i = 0; i < out.length; i++) out[i] += (x - y[i]) * (x - y[i]);
    },
    manhattan(out, x, y) {
      for (let i = 0; i < out.length; i++) out[i] += Math.abs(x - y[i]);
    },
    chebyshev(out, x, y) {
      for (let i = 0; i < out.length; i++) out[i] = Math.max(out[i], Math.abs(x - y[i]));
    },
  };

  function addOrdered(out, add, points, row, orientation) {
    for (let f = 0; f < points.n_ordered; f++) {
      const x = row.ordered[f], y = columnOf(points.ordered, f, points.n);
      // On the side that does not count, the point is taken to be where the row is.
      if (!orientation) add(out, x, y);
      else add(out, x, y.map((there) => (orientation * (x - there) > 0 ? there : x)));
    }
  }

  function addCodes(out, metric, code, codes, mismatch, unknown) {
    const whole = metric === "euclidean" ? mismatch * mismatch : mismatch;
    for (let i = 0; i < out.length; i++) {
      if (codes[i] === code) continue;
      const gap = codes[i] === unknown || code === unknown ? 0.5 * whole : whole;
      out[i] = metric === "chebyshev" ? Math.max(out[i], gap) : out[i] + gap;
    }
  }

  function directions(x) {
    const most = x.reduce((largest, part) => Math.max(largest, Math.abs(part)), 0);
    if (!most) return x.map(() => 0);
    const length = Math.sqrt(x.reduce((total, part) => total + (part / most) ** 2, 0));
    return x.map((part) => part / most / length);
  }

  function directionsOfPoints({ n, numeric, numeric_places }) {
    const units = new Float64Array(numeric.length);
    for (let i = 0; i < n; i++) {
      directions(numeric_places.map((_, f) => numeric[f * n + i])).forEach((part, f) => (units[f * n + i] = part));
    }
    return units;
  }

  function angles({ n, units, numeric_places }, row) {
    const across = new Float64Array(n), along = new Float64Array(n);
    directions(numeric_places.map((place) => row.numeric[place])).forEach((x, f) => {
      const y = columnOf(units, f, n);
      for (let i = 0; i < n; i++) {
        across[i] += (x - y[i]) ** 2;
        along[i] += (x + y[i]) ** 2;
      }
    });
    return across.map((part, i) => (part ? Math.atan(Math.sqrt(part / along[i])) / (0.5 * Math.PI) : 0));
  }

  // A point as a row, to see what is near it (Rows.without_direction: both sides count).
  function rowOfPoint({ points }, i) {
    const row = { numeric: [], codes: [], ordered: [] };
    points.numeric_places.forEach((place, f) => (row.numeric[place] = points.numeric[f * points.n + i]));
    points.code_places.forEach((place, f) => (row.codes[place] = points.codes[f * points.n + i]));
    for (let f = 0; f < points.n_ordered; f++) row.ordered.push(points.ordered[f * points.n + i]);
    return row;
  }

  return { load, readRow, distances, rowOfPoint, interp, softmax, excess, beyond, clip };
})();
