import type { Translated } from "../../texts/catalogue.ts";
import type { systemLogsTexts } from "./texts.ts";

export const systemLogs: Translated<typeof systemLogsTexts> = {
  system: "System",
  title: "Logdateien",
  summary: "Was das Programm in seine Logdateien schrieb.",
  log: "Log",
  text: "Enthält den Text",
  pattern: "Passt zum Muster",
  all: "Alle Zeilen",
  day: "Tag",
  lines: "Zeilen",
  isPattern: "Muster",
  isExact: "Groß und klein zählt",
  find: "Suchen",
  again: "Neu laden",
  rows: "Zeilen des Logs",
  counted: "{n} von {all} Zeilen",
  noMatch: "Keine Zeile dieses Tages passt.",
  empty: "An diesem Tag wurde nichts geschrieben.",
  data: "Daten",
  process: "Prozess {pid}",
};
