/** `guide/jobs` and `../contract/wire.md` are `contract/wire`. */
function resolved(doc: string, target: string): string {
  const { pathname } = new URL(target, `http://docs/${doc}`);
  return decodeURIComponent(pathname).replace(/^\//, "").replace(/\.md$/, "");
}

/**
 * Links of a page of the documentation as these pages understand them: other pages of it by their address here, links to
 * files and pictures as plain text, and addresses of the web as they are.
 */
export const withLinks = (doc: string, markdown: string): string =>
  markdown.replace(/(!?)\[([^\][]*)\]\(([^()\s]*)\)/g, (whole, image: string, text: string, target: string) => {
    if (/^[a-z]+:/i.test(target)) return whole;
    const [path = "", anchor = ""] = target.split("#");
    if (image || !(path === "" || path.endsWith(".md"))) return text;
    const query = new URLSearchParams({ doc: path ? resolved(doc, path) : doc, ...(anchor ? { anchor } : {}) });
    return `[${text}](#Docs?${query})`;
  });

/** Lines that begin something of their own, and those after which something else begins. */
const BEGINS = /^(?:\s*$|#{1,6} |\s*(?:[-*+]|\d+\.) |\||>|```)/;
const STANDS_ALONE = /^(?:\s*$|#{1,6} |\||```)/;

/** Sentences in one line each: the pages are broken to the width of an editor, while a comment's breaks are meant. */
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

/** `guide/your-own-pages` is "Guide: Your own pages"; both folders have a page on most things. */
export const nameOf = (doc: string): string => doc.split("/").map(sentence).join(": ");

/** The first line of a section that is neither its heading nor code, without its marks. */
export function beginOf(markdown: string): string {
  const line = markdown.split("\n").find((each) => /^[^#`|\s]/.test(each)) ?? "";
  return line.replace(/!?\[([^\][]*)\]\([^()]*\)/g, "$1").replace(/[*`]|^(?:[->]|\d+\.) /g, "");
}
