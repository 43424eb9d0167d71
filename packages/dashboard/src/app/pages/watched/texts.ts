import { catalogue } from "../../texts/catalogue.ts";

export const watchedTexts = {
  watchers: "Rules that watch it",
  noWatchers: "No rule watches it, or none that you may see.",
  stands: "Status",
  calm: "Nothing is firing",
  notWatched: "Switched off",
  category: "Category",
  tags: "Tags",
  tagsHelp: "A rule may apply to some tags only.",
  server: "Server",
  serverHelp: "Where it runs, or which server it is about.",
  noServer: "None",
  severity: "Severity",
  severityHelp: "Replaces the severity of the rules that fire on it.",
  ofRule: "As in the rule",
  "severity.info": "Information",
  "severity.warning": "Warning",
  "severity.critical": "Critical",
} as const;
export const t = catalogue("watched", watchedTexts);
