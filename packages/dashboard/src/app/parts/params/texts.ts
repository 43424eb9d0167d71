import { catalogue } from "../../texts/catalogue.ts";

export const paramsTexts = {
  required: "{name} (required)",
  locked: "Only administrators can set this.",
  missing: "This is required.",
  none: "None",
  json: "This is not valid JSON: {fault}",
  "type.text": "Text",
  "type.textarea": "Long text",
  "type.code": "Code",
  "type.json": "JSON",
  "type.checkbox": "Checkbox",
  "type.select": "Menu",
  "type.bucket": "Menu from a bucket",
  "type.system": "Menu of records",
  "type.hidden": "Hidden: not asked",
  "type.toolset": "Tools with own parameters",
  "type.group": "Heading",
  "variant.text": "Any text",
  "variant.number": "Number",
  "variant.date": "Date",
  "variant.time": "Time",
  "variant.datetime-local": "Date and time",
  "variant.email": "Mail address",
  "variant.url": "Web address",
  "variant.tel": "Telephone number",
  "variant.password": "Password",
  "variant.color": "Colour",
} as const;

export const t = catalogue("params", paramsTexts);
