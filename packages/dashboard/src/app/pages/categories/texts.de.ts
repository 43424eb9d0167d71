import type { Translated } from "../../texts/catalogue.ts";
import type { categoriesTexts } from "./texts.ts";

export const categories: Translated<typeof categoriesTexts> = {
  title: "Kategorien",
  create: "Kategorie anlegen",
  empty:
    "Es gibt keine Kategorien. Jedes Ereignis gehört zu einer: Sie gibt Jobs ihre Vorgaben und begrenzt, was Personen sehen.",
  removal: "Nichts gehört mehr zu ihr. Konten und Rollen, die auf sie begrenzt sind, behalten ihre Id.",
  stillUsed: {
    one: "1 Ereignis gehört zu ihr, darum wird es abgelehnt: Verschieben Sie es zuerst.",
    other: "{n} Ereignisse gehören zu ihr, darum wird es abgelehnt: Verschieben Sie sie zuerst.",
  },
  events: "Ereignisse",
  color: "Farbe",
  actions: "Aktionen aller ihrer Jobs",
  actionsHelp: "Sie kommen nach denen des Ereignisses.",
  limits: "Grenzen aller ihrer Jobs",
  limitsHelp: "Die des Ereignisses kommen zuerst.",
};
