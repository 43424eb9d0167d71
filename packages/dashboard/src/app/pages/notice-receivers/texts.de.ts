import type { Translated } from "../../texts/catalogue.ts";
import type { noticeReceiversTexts } from "./texts.ts";

export const noticeReceivers: Translated<typeof noticeReceiversTexts> = {
  receivers: "Empfänger",
  create: "Neuer Empfänger",
  empty:
    "Es gibt keinen Empfänger. Ein Empfänger ist ein Ziel von Meldungen: Personen, wer Dienst hat, Adressen, ein Kanal oder ein Webhook.",
  removal: "Nichts nennt ihn, also fehlt niemandem eine Meldung. Was er erfuhr, bleibt in der Liste der Meldungen.",
  type: "Was er ist",
  "type.user": "Personen",
  "type.mail": "Mailadressen",
  "type.channel": "Kanal",
  "type.web_hook": "Webhook",
  "type.rota": "Wer Dienst hat",
  users: "Personen",
  usersHelp:
    "Benutzernamen; @admins sind alle Administratoren. Sie erhalten eine Mail und eine Meldung auf diesen Seiten.",
  email: "Adressen",
  emailHelp: "Durch Kommas getrennt.",
  channel: "Kanal",
  webHook: "Webhook",
  rota: "Dienstplan",
  format: "Dienst",
  formatHelp: "Sein Text wird an Stelle des eigenen gesendet.",
  ownBody: "Der eigene Text des Webhooks",
  settings: "Einstellungen des Dienstes",
  settingsHelp: "Ein Wort, oder ein Geheimnis des Webhooks: {{ secrets.NAME }}.",
  chat: "Chat",
  topic: "Thema",
  routing_key: "Schlüssel, ein Geheimnis",
  fallback: "Wenn er nicht erreichbar ist",
  nobodyElse: "Niemand sonst erfährt es",
  ackLinks: "Mit einem Link zum Übernehmen",
  ackLinksHelp: "Wer die Meldung hat, kann das Problem damit ohne Anmeldung übernehmen.",
  most: "Höchstens je Stunde",
  mostHelp:
    "Leer: 30, und keine Grenze bei Webhooks. 0 ist keine Grenze; kritische dürfen doppelt so viele sein, und Enden gehen immer durch.",
  unbounded: "Keine Grenze",
  tells: "Meldet an",
  namedBy: "Wege, die ihn nennen",
  unnamed: "Kein Weg nennt ihn: er erfährt nichts.",
};
