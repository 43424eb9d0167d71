import type { Translated } from "../../texts/catalogue.ts";
import type { heartbeatsTexts } from "./texts.ts";

export const heartbeats: Translated<typeof heartbeatsTexts> = {
  title: "Lebenszeichen",
  create: "Neues Lebenszeichen",
  empty:
    "Es gibt keine Lebenszeichen. Arbeit an anderem Ort, etwa eine Zeile von cron, ruft nach getaner Arbeit eine Adresse auf; Regeln melden, wenn der Aufruf ausbleibt.",
  removal: "Seine Adresse ist dann unbekannt, und seine Aufrufe werden gelöscht.",
  every: "Gehört alle",
  everyHelp: "In dieser Zeit muss ein Erfolg kommen.",
  grace: "Darf sich verspäten um",
  graceHelp: "Leer: fünf Minuten.",
  finishWithin: "Endet binnen",
  finishHelp: "Gilt für einen Lauf, der seinen Beginn meldet. Leer: beliebig.",
  failWords: "Wörter eines Fehlers",
  failHelp: "Ein Erfolg, dessen Text eines davon enthält, ist ein Fehler.",
  address: "Adresse",
  addressHelp:
    "Sie wurde gezeigt, als sie entstand; nur ihre Prüfsumme wird aufbewahrt. Geht sie verloren, hilft eine neue.",
  once: "Bewahren Sie sie jetzt auf: Gespeichert ist nur ihre Prüfsumme, niemand kann sie noch einmal zeigen. Rufen Sie sie auf, wenn die Arbeit getan ist; mit /start oder /fail dahinter meldet sie dies.",
  rotate: "Neue Adresse",
  rotateTitle: "„{name}“ eine neue Adresse geben?",
  rotateWhy: "Die bisherige ist dann unbekannt: Wer sie aufruft, wird erst mit der neuen wieder gehört.",
  calls: "Aufrufe",
  noCalls: "Noch hat nichts die Adresse aufgerufen. Bis zum ersten Aufruf ist nichts verspätet.",
  lastCalls: { one: "Der letzte Aufruf", other: "Die letzten {n} Aufrufe" },
  exit: "Status {n}",
  "kind.success": "Fertig",
  "kind.fail": "Gescheitert",
  "kind.start": "Begonnen",
  "kind.alive": "Läuft weiter",
  "kind.log": "Eine Nachricht",
};
