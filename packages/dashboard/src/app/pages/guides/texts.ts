import { catalogue } from "../../texts/catalogue.ts";

export const guidesTexts = {
  summary: "What this version says about itself: guides, contract and reference.",
  find: "Find in the guides",
  hint: "Words that a section must hold",
  ask: "Type a word: a setting, an operation, the code of an error.",
  nothing: "No section holds “{text}”.",
  sections: "Sections",
  section: "Section",
  page: "Page",
  begins: "Begins with",
  whole: "Whole page",
  counted: "{n} of {all}",
} as const;
export const t = catalogue("guides", guidesTexts);
