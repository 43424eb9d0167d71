import type { Translated } from "../../texts/catalogue.ts";
import type { watchedTexts } from "./texts.ts";

export const watched: Translated<typeof watchedTexts> = {
  watchers: "Regeln, die darauf achten",
  noWatchers: "Keine Regel achtet darauf, oder keine, die Sie sehen dürfen.",
  stands: "Wie es steht",
  calm: "Kein Alarm",
  notWatched: "Ausgeschaltet",
  category: "Kategorie",
  tags: "Schlagwörter",
  tagsHelp: "Regeln können nur für manche Schlagwörter gelten.",
  server: "Server",
  serverHelp: "Wo es läuft, oder um welchen es geht.",
  noServer: "Keiner",
  severity: "Schwere",
  severityHelp: "Geht der Schwere der Regeln vor, die dafür melden.",
  ofRule: "Wie die Regel sagt",
  "severity.info": "Hinweis",
  "severity.warning": "Warnung",
  "severity.critical": "Kritisch",
};
