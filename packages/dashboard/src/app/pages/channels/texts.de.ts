import type { Translated } from "../../texts/catalogue.ts";
import type { channelsTexts } from "./texts.ts";

export const channels: Translated<typeof channelsTexts> = {
  title: "Kanäle",
  create: "Kanal anlegen",
  empty:
    "Es gibt keine Kanäle. Ein Kanal benachrichtigt mehrere Personen und Systeme zugleich; Aktionen von Ereignissen und Alarmen nennen ihn.",
  removal: "Aktionen und Empfänger, die ihn nennen, schlagen dann fehl: Über ihn erfährt niemand mehr etwas.",
  tells: "Benachrichtigt",
  nobody: "Niemanden",
  users: "Personen",
  usersHelp: "Benutzernamen. Sie bekommen eine Mail und einen Hinweis auf diesen Seiten. Unbekannte werden übergangen.",
  email: "Weitere Adressen",
  emailHelp: "Durch Kommas getrennt.",
  webHook: "Web-Hook",
  runEvent: "Ereignis, das läuft",
  sound: "Ton",
  soundHelp: "Name einer mp3-Datei, die mit dem Hinweis erklingt.",
  maxPerDay: "Nachrichten am Tag, höchstens",
  maxPerDayHelp: "Ab Mitternacht gezählt; 0 heißt unbegrenzt.",
  unbounded: "Unbegrenzt",
};
