import { catalogue } from "../../texts/catalogue.ts";

export const paramsTexts = {
  required: "{name} (required)",
  locked: "Only administrators choose this value.",
  missing: "This is required.",
  none: "None",
  json: "This is no JSON yet: {fault}",
} as const;

export const t = catalogue("params", paramsTexts);
