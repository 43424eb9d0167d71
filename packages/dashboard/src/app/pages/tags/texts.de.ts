import type { Translated } from "../../texts/catalogue.ts";
import type { tagsTexts } from "./texts.ts";

export const tags: Translated<typeof tagsTexts> = {
  title: "Schlagwörter",
  create: "Schlagwort anlegen",
  empty:
    "Es gibt keine Schlagwörter. Ereignisse, Jobs und Tickets tragen sie, damit Suchen und Regeln sie wiederfinden.",
  removal:
    "Ereignisse, Jobs und Tickets, die es tragen, übergehen es dann. Ein neues mit derselben Id lässt es wieder aufleben.",
  given: "Vergeben an",
  jobs: "Beendete Jobs",
  tickets: "Tickets",
};
