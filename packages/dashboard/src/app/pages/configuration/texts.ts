import { catalogue } from "../../texts/catalogue.ts";

export const configurationTexts = {
  title: "Configuration",
  summary: "{n} settings, {set} of them set while running.",
  settings: "Settings",
  find: "Find settings",
  placeholder: "A word of the name or of what it means …",
  show: "Which settings",
  onlySet: "Set while running",
  warnings: "The host should look at this",
  isSet: "set while running",
  default: "by default {value}",
  value: "New value, in force at once on every node",
  saved: "{path} is set.",
  noJson: "This is not JSON: {fault}",
} as const;
export const t = catalogue("configuration", configurationTexts);
