import { catalogue } from "../../texts/catalogue.ts";

export const systemLogsTexts = {
  system: "System",
  title: "Logs",
  summary: "What this program wrote to its log files.",
  log: "Log",
  text: "Contains the text",
  pattern: "Matches the pattern",
  all: "All lines",
  day: "Day",
  lines: "Lines",
  isPattern: "Pattern",
  isExact: "Match case",
  find: "Find",
  again: "Reload",
  rows: "Lines of the log",
  counted: "{n} of {all} lines",
  noMatch: "No line of this day matches.",
  empty: "Nothing was written on this day.",
  data: "Data",
  process: "process {pid}",
} as const;
export const t = catalogue("systemLogs", systemLogsTexts);
