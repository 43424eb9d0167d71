import { catalogue } from "../../texts/catalogue.ts";

export const compareTexts = {
  servers: "Servers",
  title: "Compare two servers",
  two: "{a} and {b}",
  first: "First server",
  second: "Second server",
  none: "Choose a server",
  choose: "Choose two servers to see their readings in the same charts.",
  same: "Choose another second server: these two are the same.",
} as const;
export const t = catalogue("compare", compareTexts);
