/** `guide/jobs` and `../contract/wire.md` are `contract/wire`. */
function resolved(doc: string, target: string): string {
  const { pathname } = new URL(target, `http://docs/${doc}`);
  return decodeURIComponent(pathname).replace(/^\//, "").replace(/\.md$/, "");
}

/**
 * Links of a page of the documentation as these pages understand them: other pages of it by their address here, what is no
 * page of it as plain text, and addresses of the web as they are.
 */
export const withLinks = (doc: string, markdown: string): string =>
  markdown.replace(/(!?)\[([^\][]*)\]\(([^()\s]*)\)/g, (whole, image: string, text: string, target: string) => {
    if (/^[a-z]+:/i.test(target)) return whole;
    const [path = "", anchor = ""] = target.split("#");
    if (image || !(path === "" || path.endsWith(".md"))) return text;
    const query = new URLSearchParams({ doc: path ? resolved(doc, path) : doc, ...(anchor ? { anchor } : {}) });
    return `[${text}](#Docs?${query})`;
  });

/** The first line of a section that is neither its heading nor code, without its marks. */
export function beginOf(markdown: string): string {
  const line = markdown.split("\n").find((each) => /^[^#`|\s]/.test(each)) ?? "";
  return line.replace(/!?\[([^\][]*)\]\([^()]*\)/g, "$1").replace(/[*`]|^(?:[->]|\d+\.) /g, "");
}
