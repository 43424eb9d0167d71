import type { Translated } from "../../texts/catalogue.ts";
import type { activityTexts } from "./texts.ts";

export const activity: Translated<typeof activityTexts> = {
  title: "Aktivität",
  summary: "Wer was getan hat, das Neueste zuerst.",
  rows: "Was getan wurde",
  find: "In der Aktivität finden",
  placeholder: "Alles. Ein Benutzer, eine Id oder Adresse, action:, date: …",
  action: "Aktion",
  keywords: "Betrifft",
  date: "Datum",
  what: "Was",
  who: "Wer",
  from: "Von",
  with: "Mit",
  when: "Wann",
  about: "Betrifft",
};
