/** Resolves a link against the page that contains it: on `guide/jobs`, `../contract/wire.md` is `contract/wire`. */
function resolved(doc: string, target: string): string {
  const { pathname } = new URL(target, `http://docs/${doc}`);
  return decodeURIComponent(pathname).replace(/^\//, "").replace(/\.md$/, "");
}

/**
 * Rewrites the links of a documentation page: links to other pages point to this dashboard, links to files and images
 * become plain text, and web addresses stay.
 */
export const withLinks = (doc: string, markdown: string): string =>
  markdown.replace(/(!?)\[([^\][]*)\]\(([^()\s]*)\)/g, (whole, image: string, text: string, target: string) => {
    if (/^[a-z]+:/i.test(target)) return whole;
    const [path = "", anchor = ""] = target.split("#");
    if (image || !(path === "" || path.endsWith(".md"))) return text;
    const query = new URLSearchParams({ doc: path ? resolved(doc, path) : doc, ...(anchor ? { anchor } : {}) });
    return `[${text}](#Docs?${query})`;
  });

/** Lines that start a new block, and lines after which a new block starts. */
const BEGINS = /^(?:\s*$|#{1,6} |\s*(?:[-*+]|\d+\.) |\||>|```)/;
const STANDS_ALONE = /^(?:\s*$|#{1,6} |\||```)/;

/**
 * Joins the lines of each paragraph. The pages are wrapped for editors, but the Markdown renderer keeps line breaks, as
 * comments need.
 */
export function withoutBreaks(markdown: string): string {
  const lines: string[] = [];
  let isCode = false;
  for (const line of markdown.split("\n")) {
    const last = lines.at(-1);
    const goesOn = last !== undefined && !isCode && !BEGINS.test(line) && !STANDS_ALONE.test(last);
    if (goesOn) lines[lines.length - 1] = `${last} ${line.trim()}`;
    else lines.push(line);
    if (line.startsWith("```")) isCode = !isCode;
  }
  return lines.join("\n");
}

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1).replaceAll("-", " ");

/**
 * Title of a page: `guide/your-own-pages` is "Guide: Your own pages". The folder is included because most topics have a
 * page in both folders.
 */
export const nameOf = (doc: string): string => doc.split("/").map(sentence).join(": ");

/** The first line of a section that is neither a heading nor code, without Markdown syntax. */
export function beginOf(markdown: string): string {
  const line = markdown.split("\n").find((each) => /^[^#`|\s]/.test(each)) ?? "";
  return line.replace(/!?\[([^\][]*)\]\([^()]*\)/g, "$1").replace(/[*`]|^(?:[->]|\d+\.) /g, "");
}
