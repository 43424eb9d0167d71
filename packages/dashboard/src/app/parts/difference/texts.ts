import { catalogue } from "../../texts/catalogue.ts";

export const differenceTexts = {
  same: "Nothing was changed.",
  conflict: "Somebody has changed it meanwhile",
  theirs: "Their changes",
  mine: "Your changes",
  keepMine: "Go on with both, yours over theirs",
  takeTheirs: "Give yours up",
} as const;
export const t = catalogue("difference", differenceTexts);
