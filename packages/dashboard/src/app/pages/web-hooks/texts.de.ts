import type { Translated } from "../../texts/catalogue.ts";
import type { webHooksTexts } from "./texts.ts";

export const webHooks: Translated<typeof webHooksTexts> = {
  title: "Web-Hooks",
  create: "Web-Hook anlegen",
  empty:
    "Es gibt keine Web-Hooks. Ein Web-Hook schickt einem anderen System eine Anfrage, wenn ein Job endet oder ein Alarm auslöst.",
  removal: "Aktionen, Kanäle und Empfänger, die ihn nennen, schlagen dann fehl.",
  method: "Methode",
  url: "Adresse",
  urlHelp: "Darf Makros enthalten, wie {{secrets.NAME}} eines zugewiesenen Geheimnisses.",
  headers: "Kopfzeilen",
  headerName: "Name",
  headerValue: "Wert",
  addHeader: "Kopfzeile hinzufügen",
  body: "Inhalt",
  bodyHelp: "Darf Makros enthalten: {{text}}, {{job.id}}, {{secrets.NAME}} …",
  timeout: "Zeitlimit",
  timeoutHelp: "Sekunden, die er auf das erste Byte einer Antwort wartet, und auf jedes weitere.",
  retries: "Weitere Versuche",
  retriesHelp:
    "So oft versucht er es erneut, wenn das Zeitlimit abläuft oder die Antwort beim nächsten Mal anders sein kann.",
  maxPerDay: "Anfragen am Tag, höchstens",
  maxPerDayHelp: "Ab Mitternacht gezählt; 0 heißt unbegrenzt.",
  follow: "Weiterleitungen folgen",
  bypass: "Zertifikate nicht prüfen",
  bypassHelp: "Jeder dazwischen könnte mitlesen und antworten. Nur für eine eigene Maschine.",
  sign: "Unterschrieben mit",
  signHelp: "Name einer Variablen eines zugewiesenen Geheimnisses. Leer: ohne Unterschrift.",
  trial: "Probe",
  trialHelp:
    "Schickt eine Anfrage mit Beispieldaten, so wie das Formular jetzt ist, gespeichert oder nicht. Sie sehen Anfrage und Antwort.",
  test: "Probe senden",
  failed: "Fehlgeschlagene Sendungen",
  noFailed: "Alles Gesendete ist angekommen.",
  attempts: { one: "1 Versuch", other: "{n} Versuche" },
  "of.job": "Über einen Job",
  "of.alert": "Über einen Alarm",
  resend: "Erneut senden",
  arrived: "Es ist angekommen.",
  failedAgain: "Es schlug wieder fehl; der Grund steht in der Liste.",
};
