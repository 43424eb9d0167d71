import { createElement } from "react";
// biome-ignore lint/style/noDefaultExport: Next.js asks for it
export default () => createElement("html", null, createElement("body", null, "the host's own page"));
