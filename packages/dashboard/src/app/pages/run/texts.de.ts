import type { Translated } from "../../texts/catalogue.ts";
import type { runTexts } from "./texts.ts";

export const run: Translated<typeof runTexts> = {
  events: "Ereignisse",
  run: "Starten",
  title: "{name} starten",
  gone: "Es gibt kein Ereignis {id}, das Sie sehen dürfen. Vielleicht wurde es gelöscht.",
  mayNot: "Sie dürfen hier keine Jobs starten.",
  isOff: "Das Ereignis ist ausgeschaltet, dies ist also ein Probelauf: ohne Grenzen und Aktionen der Kategorie.",
  noManual: "Kein Auslöser des Ereignisses erlaubt Läufe von Hand, dies ist also ein Probelauf.",
  fields: "Fragen",
  parameters: "Parameter",
  noParameters: "Sein Plugin fragt nach nichts.",
  thisRun: "Nur für diesen Lauf",
  files: "Dateien",
  filesHelp: "Der Job bekommt sie als Eingabe.",
  where: "Wo",
  asPlanned: "Wie geplant: {targets}",
  delay: "Nach so vielen Minuten beginnen",
  delayHelp: "Leer = sofort",
  asTest: "Als Probelauf: ohne Grenzen und Aktionen von Kategorie und Konfiguration",
  start: "Jetzt starten",
  test: "Probelauf starten",
  started: "{name} ist gestartet.",
};
