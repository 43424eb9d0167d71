import { catalogue } from "../../texts/catalogue.ts";

export const definitionsTexts = {
  settings: "Settings",
  discard: "Discard",
  changes: "Changes: {names}",
  gone: "Nothing with the id {id} exists here. It may have been deleted.",
  allOf: "All",
  find: "Find in this list",
  findPlaceholder: "A word of the title, the id, the notes …",
  removeTitle: "Delete {name}?",
  removed: "{name} is deleted.",
  facts: "Facts",
  revision: "Revision",
  usedBy: "Used by",
  unused: "Nothing that you may see uses it.",
  history: "History",
  noHistory: "No change is known, or you may not see them.",
  "did.create": "{who} created it",
  "did.update": "{who} changed it",
  "did.delete": "{who} deleted it",
  restore: "Load into the editor",
  restoreOf: "Load into the editor: the state of {time}",
  noDifference: "No visible differences.",
  before: "Before:",
  after: "After:",
} as const;
export const t = catalogue("definitions", definitionsTexts);
