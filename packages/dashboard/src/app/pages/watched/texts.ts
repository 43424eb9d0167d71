import { catalogue } from "../../texts/catalogue.ts";

export const watchedTexts = {
  watchers: "Rules that see to it",
  noWatchers: "No rule sees to it, or none that you may see.",
  stands: "How it stands",
  calm: "Nothing fires",
  notWatched: "Switched off",
  category: "Category",
  tags: "Tags",
  tagsHelp: "Rules may be for some tags alone.",
  server: "Server",
  serverHelp: "Where it runs, or what is meant by it.",
  noServer: "None",
  severity: "Severity",
  severityHelp: "Over that of the rules that fire on it.",
  ofRule: "That of the rule",
  "severity.info": "Information",
  "severity.warning": "Warning",
  "severity.critical": "Critical",
} as const;
export const t = catalogue("watched", watchedTexts);
