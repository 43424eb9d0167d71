/** A part of a page, from its heading to the next one. */
export interface Section {
  readonly doc: string;
  /** Anchor for links, like `#rotate-by-a-call`. */
  readonly anchor: string;
  readonly heading: string;
  readonly markdown: string;
}

/** The anchor of a heading: lower case, words joined with dashes, other punctuation removed. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

/** The sections of a page in order. Lines inside code blocks are not headings. */
export function sectionsOf(doc: string, markdown: string): Section[] {
  const sections: { heading: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("```")) isCode = !isCode;
    const [, heading] = (!isCode && /^#{1,6} (.+)$/.exec(line)) || [];
    if (heading !== undefined || sections.length === 0) sections.push({ heading: heading ?? doc, lines: [] });
    sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ heading, lines }) => ({
    doc,
    heading,
    anchor: anchorOf(heading),
    markdown: lines.join("\n").trim(),
  }));
}

const words = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Sections that contain every word of a query; those with more of the words in the heading come first. */
export function findSections(sections: readonly Section[], query: string): Section[] {
  const asked = words(query);
  if (asked.length === 0) return [];
  const score = ({ heading, markdown }: Section): number => {
    const [title, text] = [heading.toLowerCase(), markdown.toLowerCase()];
    if (!asked.every((word) => text.includes(word))) return 0;
    return 1 + asked.filter((word) => title.includes(word)).length;
  };
  return sections
    .map((section) => ({ section, rank: score(section) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ section }) => section);
}
