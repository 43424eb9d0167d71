// The search of the site, in the page and without a server: the index is a script, which a page that was opened from a file may load.
// It is loaded when somebody turns to the search.
(() => {
  const MOST = 30;
  const AROUND = 70;
  const root = document.documentElement.dataset.root;
  const input = document.querySelector("input[type=search]");
  const list = document.querySelector("#found");
  const contents = document.querySelector(".contents");
  if (matchMedia("(max-width: 52rem)").matches) contents.open = false;
  contents.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });

  let loading;
  const load = () => {
    loading ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `${root}search-index.js`;
      script.onload = () => resolve(globalThis.signalboxSearch);
      script.onerror = () => reject(new Error("The index of the search is missing"));
      document.head.append(script);
    });
    return loading;
  };

  /** How well a section answers, word by word: in a title one counts most. All in one section count for more than all on a page. */
  const rank = ({ title, heading, text }, words) => {
    const sums = words.map((word) => {
      const inTitle = title.toLowerCase().includes(word) ? 4 : 0;
      const inHeading = heading.toLowerCase().includes(word) ? 8 : 0;
      return inTitle + inHeading + Math.min(text.toLowerCase().split(word).length - 1, 3);
    });
    return sums.reduce((all, sum) => all + sum, 0) * (sums.every((sum) => sum > 0) ? 10 : 1);
  };

  /** Pages that have every word, in whichever of their sections. */
  const pagesWith = (sections, words) => {
    const texts = new Map();
    for (const { page, title, heading, text } of sections)
      texts.set(page, `${texts.get(page) ?? title} ${heading} ${text}`);
    const answers = [...texts].filter(([, text]) => words.every((word) => text.toLowerCase().includes(word)));
    return new Set(answers.map(([page]) => page));
  };

  const excerpt = (text, words) => {
    const at = words.map((word) => text.toLowerCase().indexOf(word)).find((place) => place >= 0) ?? 0;
    const from = Math.max(0, at - AROUND);
    const to = Math.min(text.length, at + AROUND);
    return `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`;
  };

  const row = ({ page, title, anchor, heading, text }, words) => {
    const link = document.createElement("a");
    link.href = `${root}${page}#${anchor}`;
    link.textContent = heading === title ? title : `${title} › ${heading}`;
    const small = document.createElement("small");
    small.textContent = excerpt(text, words);
    link.append(small);
    return link;
  };

  const said = (text) => Object.assign(document.createElement("p"), { textContent: text });

  const show = async () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.hidden = words.length === 0;
    if (words.length === 0) return;
    const sections = await load();
    const pages = pagesWith(sections, words);
    const found = sections
      .filter(({ page }) => pages.has(page))
      .map((section) => ({ section, rank: rank(section, words) }))
      .filter(({ rank }) => rank > 0)
      .sort((a, b) => b.rank - a.rank)
      .slice(0, MOST);
    const rows = found.map(({ section }) => row(section, words));
    const items = (rows.length > 0 ? rows : [said("No page has all of these words.")]).map((content) => {
      const item = document.createElement("li");
      item.append(content);
      return item;
    });
    list.replaceChildren(...items);
  };

  const tell = (error) => list.replaceChildren(said(error.message));
  input.addEventListener("input", () => void show().catch(tell));
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") list.querySelector("a")?.click();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") list.hidden = true;
    if (event.key === "/" && !/^(?:INPUT|TEXTAREA)$/.test(event.target.tagName)) {
      event.preventDefault();
      input.focus();
    }
  });
  document.addEventListener("click", ({ target }) => {
    if (!list.contains(target) && target !== input) list.hidden = true;
  });
})();
