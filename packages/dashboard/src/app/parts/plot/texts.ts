import { catalogue } from "../../texts/catalogue.ts";

export const chartTexts = {
  noData: "no data",
  now: "Value",
  limit: "Limit",
  asTable: "Numbers",
  asChart: "Chart",
  tableOf: "Numbers of {title}",
  time: "Time",
  says: "{title}: {parts}. Arrow keys move along the time; with Shift they choose a stretch, and Enter zooms into it.",
  part: "{name} {last}, lowest {low}, highest {high}",
  partNone: "{name} without data",
  nothing: "Nothing was reported in this time.",
} as const;
export const t = catalogue("chart", chartTexts);
