// The form: values in, the answer of the model out, drawn with the styles of the page. Nothing is put together as HTML.
const fgacWhatIf = (() => {
  const DAY = 86400000, MOST_CLASSES = 12, SVG = "http://www.w3.org/2000/svg";

  // ---- Words (text/words.py, report/filters.py)

  function degreeText(x) {
    const nearest = Math.round(x), degree = Math.abs(x - nearest) < 1e-9 ? nearest : x;
    const text = degree.toFixed(2);
    if (text === "0.00" && degree > 0) return "< 0.01";
    return text === "1.00" && degree < 1 ? "> 0.99" : text.replace("-0.00", "0.00");
  }

  function numberText(x, digits = 4) {
    if (x === 0) return "0";
    const size = Math.floor(Math.log10(Math.abs(x)));
    if (size <= -8 || size >= 15) return x.toExponential(digits - 1);
    const text = x.toFixed(Math.max(0, digits - 1 - size));
    return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  }

  // No more than that is guaranteed (format_radius).
  function roundedDown(x) {
    const step = 10 ** (Math.floor(Math.log10(x * (1 + 1e-6))) - 1);
    return numberText(Math.floor((x / step) * (1 + 1e-6)) * step, 2);
  }

  const plural = (n, one) => `${n} ${one}${n === 1 ? "" : "s"}`;
  const shown = (answer, data) => `${data.before}${numberText(answer)}${data.after}`;

  // ---- Elements

  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  // A line between two numbers from 0 to 1, and a circle at a third.
  function bar(from, to, kind, circle = null) {
    const percent = (x) => `${100 * Math.min(1, Math.max(0, x))}%`;
    const svg = document.createElementNS(SVG, "svg"), line = document.createElementNS(SVG, "line");
    svg.setAttribute("aria-hidden", "true");
    line.setAttribute("x1", percent(from));
    line.setAttribute("x2", percent(to));
    if (kind) line.setAttribute("class", kind);
    svg.append(line);
    if (circle !== null) {
      const dot = document.createElementNS(SVG, "circle");
      dot.setAttribute("cx", percent(circle));
      svg.append(dot);
    }
    return svg;
  }

  // A table with a caption; the first cell of every line is its heading.
  function table(kind, caption, headings, lines) {
    const cells = ([first, ...others]) => [element("th", { scope: "row" }, first), ...others.map((x) => element("td", {}, x))];
    const head = headings.map((x) => (typeof x === "string" ? element("th", { scope: "col" }, x) : x));
    return element("table", { class: kind }, element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...head)),
      element("tbody", {}, ...lines.map((line) => element("tr", {}, ...cells(line)))));
  }

  const ends = (left, right) =>
    element("th", { class: "ends", scope: "col" }, left, element("span", {}, right));

  // ---- Answers

  function named(argument, sign, more) {
    const alike = argument.alike.length ? `${more ? ", " : ""}and ${argument.alike.length} alike` : "";
    const name = element("span", {}, sign ? `${sign} ` : "", String(argument.id), " ");
    name.append(element("small", {}, `${more}${alike}`));
    return name;
  }

  function degreesTable(answer, labels) {
    const order = labels.map((_, k) => k).sort((a, b) => (b === answer.prediction) - (a === answer.prediction)
      || answer.degree[b] - answer.degree[a] || a - b);
    const kind = (k) => (k === answer.prediction ? "for" : "");
    return table("degrees", "How much it belongs to each class", ["Class", ends("0", "1"), "Degree", "Bounds"],
      order.slice(0, MOST_CLASSES).map((k) => [labels[k], bar(answer.lower[k], answer.upper[k], kind(k), answer.degree[k]),
        degreeText(answer.degree[k]), `${degreeText(answer.lower[k])} to ${degreeText(answer.upper[k])}`]));
  }

  function argumentsTable(answer, labels) {
    const line = (sign, way) => (a) => [named(a, sign, labels[a.label]),
      bar(0.5, 0.5 + (way * a.strength) / 2, way > 0 ? "for" : "against"),
      degreeText(a.strength), degreeText(a.similarity), degreeText(a.degree)];
    const lines = [...answer.argumentsFor.map(line("+", 1)), ...answer.argumentsAgainst.map(line("−", -1))];
    if (answer.nearest) lines.push(line("nearest:", 1)(answer.nearest));
    return table("arguments", `Training rows that argue whether it is ${labels[answer.prediction]}`,
      ["Training row", ends("◂ against", "for ▸"), "Strength", "Similar", "In / not in"], lines);
  }

  // The part of the number line that is worth drawing (RegressionExplanation.shown), and a little more at both ends.
  function numberLine(answer, data) {
    const values = [...data.ends, answer.prediction, ...(answer.interval ?? [])];
    values.push(...[...answer.atLeast, ...answer.atMost].map((argument) => argument.fitted));
    const low = Math.min(...values), high = Math.max(...values), beyond = 0.1 * (high - low) || 1;
    return [low - beyond, high + beyond];
  }

  function numberTable(answer, data) {
    const [start, stop] = numberLine(answer, data), at = (x) => (x - start) / (stop - start);
    const line = (kind, sign, end) => (a) => [named(a, sign, ""), bar(at(a.says), end, kind), `${sign} ${numberText(a.says)}`,
      numberText(a.fitted), numberText(a.target), degreeText(a.similarity)];
    const all = bar(at(answer.lower), at(answer.upper), "for", at(answer.prediction));
    if (answer.interval) all.prepend(bar(...answer.interval.map(at), "").firstChild);
    return table("arguments", "Training rows that say how much it is, at least and at most",
      ["Training row", ends(numberText(start), numberText(stop) + data.after), "Says", "Value", "Target", "Similar"],
      [...answer.atLeast.map(line("for", "≥", 1)),
        ["together", all, numberText(answer.prediction), "", "", ""], ...answer.atMost.map(line("against", "≤", 0))]);
  }

  function findings(model, answer, data) {
    if (model.kind === "classes") return [degreesTable(answer, data.labels), argumentsTable(answer, data.labels)];
    if (model.kind === "numbers") return [numberTable(answer, data)];
    const parts = [answer.below && [answer.below, answer.prediction - 1], answer.above && [answer.above, answer.prediction]];
    return [degreesTable(answer, data.labels),
      ...parts.filter(Boolean).map(([part, b]) => argumentsTable(part, data.sides[b]))];
  }

  // ---- The parts of the card (text/card_classes.py, text/card_numbers.py), as elements

  const SIMILAR = [[0.9, "very similar to"], [0.5, "similar to"], [0.2, "somewhat similar to"], [2e-9, "only slightly similar to"]];
  // Nobody can make use of a distance below this.
  const SMALL = 0.001;
  const NO_CASE = "There is no comparable case among the training rows.";

  function resembles({ similarity }) {
    const found = SIMILAR.find(([least]) => similarity >= least);
    return `${found ? found[1] : "not similar to"} this row`;
  }

  // The strongest case on one side, beside the row, and how many say the same.
  function side(heading, argument, says, otherwise, note = "") {
    const title = element("h3", {}, heading);
    if (!argument) return [title, element("p", {}, otherwise)];
    const name = ["Training row ", element("b", {}, String(argument.id)), " ", element("span", {}, says), " "];
    const n = argument.alike.length;
    const same = n ? `Another ${plural(n, "training row")} like it ${n === 1 ? "says" : "say"} the same.` : "";
    return [title, element("p", { class: "who" }, ...name, element("small", {}, resembles(argument))),
      ...[note, same].filter(Boolean).map((text) => element("p", { class: "note" }, text))];
  }

  function cardParts(model, answer, data) {
    const columns = (places) => places.map((j) => data.names[j]).join(", ");
    const unknown = [answer.unknown.length ? `Unknown: ${columns(answer.unknown)}.` : "",
      answer.beyond.length ? `Beyond all training rows: ${columns(answer.beyond)}.` : ""].filter(Boolean);
    const parts = model.kind === "numbers" ? numberParts(model, answer, data) : classParts(answer, data);
    if (answer.resemblesNothing) parts.support = [element("b", { class: "big" }, "A guess"), ": there is no comparable case."];
    parts.unknown = unknown.length ? unknown.map((text) => element("p", {}, text)) : [element("p", {}, "Every value is known.")];
    return parts;
  }

  // Of ordered classes, the arguments of the closer boundary.
  function classParts(answer, data) {
    const k = answer.prediction, parts = [answer.below, answer.above].filter(Boolean);
    const part = parts.length ? parts.reduce((one, other) => (other.margin < one.margin ? other : one)) : answer;
    const labels = part === answer ? data.labels : data.sides[part === answer.above ? k : k - 1];
    const says = (argument) => (argument ? labels[argument.label] : "");
    const [first, against] = [answer.resemblesNothing ? part.nearest : part.argumentsFor?.[0], part.argumentsAgainst?.[0]];
    const odd = against?.label === part.prediction ? "It has this label itself, but other rows contradict it." : "";
    const heading = answer.resemblesNothing && first ? "No comparable case; the nearest row" : `Why ${labels[part.prediction]}`;
    return {
      prediction: [data.labels[k]],
      support: sureness(answer, part),
      for: side(heading, first, says(first), answer.resemblesNothing ? NO_CASE : "No similar case; no other class fits better."),
      against: side("What speaks against it", against, says(against), "Nothing does.", odd),
      change: [element("p", {}, answer.radius > SMALL
        ? `It is sure to stay while further changes move the row by less than ${roundedDown(answer.radius)} in the model's distance.`
        : "A very small change may already change it.")],
    };
  }

  function sureness(answer, part) {
    const { cases, right, confidence } = answer.reliability ?? {};
    if (cases) {
      const of100 = Math.max(Math.min(1, right), Math.min(Math.round((100 * right) / cases), 100 - Math.min(1, cases - right)));
      const isApart = Math.abs(confidence - right / cases) >= 0.1;
      const own = isApart ? ` Such are rows of similar probability, and this row's own is ${degreeText(confidence).replace("<", "less than").replace(">", "more than")}.` : "";
      return [element("b", { class: "big" }, `${of100} of 100`), ` such cases were right (${right} of ${cases} rows held out).${own}`];
    }
    const big = part.tied?.length ? "A tie" : "Not known";
    return [element("b", { class: "big" }, big), ". How often such cases are right, nobody has tested."];
  }

  function numberParts(model, answer, data) {
    const amount = (x) => numberText(x) + data.after;
    const held = answer.interval ? " is the interval for such rows." : " is what training rows leave room for.";
    const [low, high] = answer.interval ?? [answer.lower, answer.upper];
    const [least, most] = [answer.atLeast[0], answer.atMost[0]];
    const nothing = (end) => `No row near it says so; it is the ${end} value that a training row is taken to have.`;
    const told = (argument) => (argument ? amount(argument.target) : "");
    return {
      prediction: [shown(answer.prediction, data)],
      support: [element("b", { class: "big" }, `${amount(low)} to ${amount(high)}`), held],
      for: side(`Why not less than ${amount(answer.lower)}`, least, told(least), nothing("smallest")),
      against: side(`Why not more than ${amount(answer.upper)}`, most, told(most), nothing("largest")),
      change: [element("p", {}, `It changes by at most ${amount(model.slope / 100)} for every 0.01 that further changes move the row `
        + "in the model's distance.")],
    };
  }

  // Where the prediction stands between its bounds.
  function standing(model, answer) {
    if (model.kind === "numbers") return `at least ${numberText(answer.lower)}, at most ${numberText(answer.upper)}.`;
    const [degree, lower, upper] = [answer.degree, answer.lower, answer.upper].map((each) => degreeText(each[answer.prediction]));
    return `degree ${degree}, from ${lower} to ${upper}.`;
  }

  // The same as text, by part.
  const words = (parts) => Object.fromEntries(Object.entries(parts).map(([name, nodes]) =>
    [name, nodes.map((node) => node.textContent ?? node).join(" ").replace(/ +/g, " ").replace(/ ([.:])/g, "$1")]));

  // ---- Inputs

  function valueText(value, input) {
    const kind = input.dataset.kind;
    if (value === null) return "";
    if (kind !== "date" && kind !== "datetime") return String(value);
    const date = new Date(Math.round(value * DAY));
    if (Number.isNaN(date.getTime())) return "";
    return date.toISOString().slice(0, kind === "date" ? 10 : date.getTime() % 1000 ? 23 : 19);
  }

  // The value of an input, or undefined while it holds nothing that can be read.
  function readInput(input) {
    if (input.value === "") return input.validity.badInput ? undefined : null;
    const isDate = input.dataset.kind === "date" || input.dataset.kind === "datetime";
    const value = isDate ? input.valueAsNumber / DAY : Number(input.value);
    return Number.isFinite(value) ? value : undefined;
  }

  function told(value, input) {
    if (value === null) return "unknown";
    if (input.type === "number") return numberText(value, 6);
    return input.tagName === "SELECT"
      ? [...input.options].find((option) => option.value === String(value))?.textContent ?? "(any other)"
      : valueText(value, input).replace("T", " ");
  }

  // ---- The cards of the explained rows, which follow if the page has them

  function follow(card, parts) {
    for (const place of card?.querySelectorAll("[data-card]") ?? []) {
      // What the page says of the row as it was, and of no other, is left out: the question that was asked about it.
      const said = parts ? parts[place.dataset.card] ?? [] : undefined;
      place.before_ ??= [...place.childNodes];
      if (said === undefined) place.replaceChildren(...place.before_);
      else place.replaceChildren(...said);
      place.toggleAttribute("data-what-if", said !== undefined);
    }
  }

  // ---- All together

  class Bench {
    constructor(section, onChange) {
      this.section = section;
      this.data = JSON.parse(section.querySelector(".what-if-data").textContent);
      this.model = fgacAnswer.load(this.data.model);
      this.form = section.querySelector("form");
      this.fields = [...section.querySelectorAll(".field")];
      this.onChange = onChange;
      const cards = onChange ? [] : document.querySelectorAll("[data-row]"); // a notebook has other rows
      this.cards = new Map([...cards].map((card) => [card.dataset.row, card]));
      this.form.addEventListener("submit", (event) => event.preventDefault());
      this.form.addEventListener("input", (event) => this.edited(event.target));
      this.form.elements.back.addEventListener("click", () => this.begin(this.start));
      this.begin(0);
      section.hidden = false;
    }

    begin(start) {
      follow(this.cards.get(String(this.start)));
      this.start = start;
      this.values = [...this.data.rows[start]];
      this.first = fgacAnswer.answer(this.model, this.values);
      this.form.elements.start.value = String(start);
      for (const field of this.fields) {
        const input = field.querySelector("[data-kind]");
        input.value = valueText(this.values[field.dataset.place], input);
        input.removeAttribute("aria-invalid");
      }
      this.update();
    }

    edited(input) {
      if (input.name === "start") return this.begin(Number(input.value));
      const field = input.closest(".field"), value = readInput(input);
      if (!field) return undefined;
      if (value === undefined) {
        input.setAttribute("aria-invalid", "true");
        field.querySelector(".was").textContent = "cannot be read; not used";
        return undefined;
      }
      input.removeAttribute("aria-invalid");
      this.values[field.dataset.place] = value;
      return this.update();
    }

    update() {
      const { model, data, values } = this, before = data.rows[this.start];
      const answer = fgacAnswer.answer(model, values), parts = cardParts(model, answer, data), texts = words(parts);
      const isChanged = values.map((value, j) => value !== before[j]), n = isChanged.filter(Boolean).length;
      for (const field of this.fields) {
        const j = field.dataset.place, input = field.querySelector("[data-kind]");
        field.classList.toggle("changed", isChanged[j]);
        field.querySelector(".was").textContent = isChanged[j] ? `was ${told(before[j], input)}` : "";
      }
      this.form.elements.back.disabled = n === 0;
      this.say([texts.prediction, standing(model, answer), texts.support], words(cardParts(model, this.first, data)).prediction, n);
      this.section.querySelector(".findings").replaceChildren(...findings(model, answer, data),
        ...[texts.change, texts.unknown].filter(Boolean).map((text) => element("p", { class: "note" }, text)));
      follow(this.cards.get(String(this.start)), n ? parts : null);
      this.onChange?.(values, answer, texts);
    }

    say([prediction, ...others], first, n) {
      const verdict = [element("b", {}, prediction), others.join(" ")];
      if (prediction !== first) verdict.push(" ", element("span", { class: "tag" }, `before: ${first}`));
      if (n) verdict.push(" ", element("small", {}, `${plural(n, "value")} changed.`));
      this.section.querySelector(".verdict").replaceChildren(...verdict);
    }
  }

  const benches = [];

  function mountAll() {
    for (const section of document.querySelectorAll("section.what-if")) benches.push(new Bench(section));
  }

  return { Bench, benches, mountAll };
})();
