import type { Translated } from "../../texts/catalogue.ts";
import type { chartTexts } from "./texts.ts";

export const chart: Translated<typeof chartTexts> = {
  noData: "keine Daten",
  now: "Wert",
  limit: "Grenze",
  asTable: "Zahlen",
  asChart: "Diagramm",
  tableOf: "Zahlen zu {title}",
  time: "Zeit",
  says: "{title}: {parts}. Pfeiltasten bewegen die Zeit; mit Umschalt wählen sie eine Strecke, und Enter vergrößert sie.",
  part: "{name} {last}, niedrigster {low}, höchster {high}",
  partNone: "{name} ohne Daten",
  nothing: "In dieser Zeit wurde nichts gemeldet.",
};
