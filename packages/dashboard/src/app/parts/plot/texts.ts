import { catalogue } from "../../texts/catalogue.ts";

export const chartTexts = {
  noData: "no data",
  now: "Value",
  limit: "Limit",
  asTable: "Numbers",
  asChart: "Chart",
  tableOf: "Numbers of {title}",
  time: "Time",
  says: "{title}: {parts}. Arrow keys move along the time axis; with Shift they select a range, and Enter zooms into it.",
  part: "{name} {last}, lowest {low}, highest {high}",
  partNone: "{name} without data",
  nothing: "Nothing was reported in this period.",
} as const;
export const t = catalogue("chart", chartTexts);
