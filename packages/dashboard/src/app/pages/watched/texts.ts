import { catalogue } from "../../texts/catalogue.ts";

export const watchedTexts = {
  watchers: "Rules that see to it",
  noWatchers: "No rule sees to it, or none that you may see.",
  stands: "How it stands",
  calm: "Nothing fires",
  notWatched: "Switched off",
  category: "Category",
  tags: "Tags",
  tagsHelp: "A rule may apply to some tags only.",
  server: "Server",
  serverHelp: "Where it runs, or which one it is about.",
  noServer: "None",
  severity: "Severity",
  severityHelp: "Replaces the severity of the rules that fire on it.",
  ofRule: "As the rule says",
  "severity.info": "Information",
  "severity.warning": "Warning",
  "severity.critical": "Critical",
} as const;
export const t = catalogue("watched", watchedTexts);
