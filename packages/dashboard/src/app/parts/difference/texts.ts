import { catalogue } from "../../texts/catalogue.ts";

export const differenceTexts = {
  same: "Nothing was changed.",
  conflict: "Somebody has changed it in the meantime",
  theirs: "Their changes",
  mine: "Your changes",
  keepMine: "Keep both, yours first",
  takeTheirs: "Discard yours",
} as const;
export const t = catalogue("difference", differenceTexts);
