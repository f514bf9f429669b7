"use strict";
(() => {
  // On paper nothing can be opened; afterwards the page is as it was.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    for (const details of closed) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of closed) details.open = false;
  });

  const form = document.getElementById("controls");
  if (!form) return;
  const list = document.getElementById("rows");
  const rows = [...list.children].map((element, position) => ({
    element,
    position,
    margin: Number(element.dataset.margin),
    flags: element.dataset.flags.split(" "),
    text: null,
  }));

  // Pieces of text are joined by spaces, so that a search never matches across two cells.
  function textOf(row) {
    if (row.text === null) {
      const walker = document.createTreeWalker(row.element, NodeFilter.SHOW_TEXT);
      const pieces = [];
      while (walker.nextNode()) pieces.push(walker.currentNode.data.trim());
      row.text = pieces.join(" ").toLowerCase();
    }
    return row.text;
  }

  function chosen(name) {
    return form.elements[name]?.value ?? "";
  }

  function matches(row, words) {
    const flags = ["outcome", "certainty"].map(chosen).filter(Boolean);
    return (
      (chosen("class") === "" || chosen("class") === row.element.dataset.class) &&
      flags.every((flag) => row.flags.includes(flag)) &&
      words.every((word) => textOf(row).includes(word))
    );
  }

  function filter() {
    const words = chosen("search").toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      row.element.hidden = !matches(row, words);
      shown += !row.element.hidden;
    }
    document.getElementById("count").textContent = `${shown} of ${rows.length} rows shown`;
  }

  function sort() {
    const sign = { up: 1, down: -1 }[chosen("order")] ?? 0;
    const sorted = [...rows].sort((a, b) => sign * (a.margin - b.margin) || a.position - b.position);
    list.append(...sorted.map((row) => row.element));
  }

  function setOpen(isOpen) {
    for (const row of rows) if (!row.element.hidden) row.element.open = isOpen;
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", filter);
  form.addEventListener("change", () => (filter(), sort()));
  form.elements.open.addEventListener("click", () => setOpen(true));
  form.elements.close.addEventListener("click", () => setOpen(false));
  // The fields have their first values only after the event.
  form.addEventListener("reset", () => setTimeout(() => (filter(), sort())));

  // A browser may have kept what was chosen before the page was loaded again.
  form.hidden = false;
  filter();
  sort();
})();
