import { catalogue } from "../../texts/catalogue.ts";

export const guidesTexts = {
  summary: "The documentation of this version: guides, contract and reference.",
  find: "Find in the guides",
  hint: "Words to search for",
  ask: "Type a word: a setting, an operation, an error code.",
  nothing: "No section contains “{text}”.",
  sections: "Sections",
  section: "Section",
  page: "Page",
  begins: "Begins with",
  whole: "Whole page",
  counted: "{n} of {all}",
} as const;
export const t = catalogue("guides", guidesTexts);
