import type { Translated } from "../../texts/catalogue.ts";
import type { guidesTexts } from "./texts.ts";

export const guides: Translated<typeof guidesTexts> = {
  summary: "Was diese Version über sich selbst sagt: Anleitungen, Vertrag und Nachschlagewerk.",
  find: "In den Anleitungen suchen",
  hint: "Wörter, die in einem Abschnitt stehen",
  ask: "Ein Wort genügt: eine Einstellung, eine Operation, der Code eines Fehlers.",
  nothing: "In keinem Abschnitt steht „{text}“.",
  sections: "Abschnitte",
  section: "Abschnitt",
  page: "Seite",
  begins: "Beginnt mit",
  whole: "Ganze Seite",
  counted: "{n} von {all}",
};
