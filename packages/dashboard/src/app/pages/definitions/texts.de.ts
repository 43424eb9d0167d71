import type { Translated } from "../../texts/catalogue.ts";
import type { definitionsTexts } from "./texts.ts";

export const definitions: Translated<typeof definitionsTexts> = {
  settings: "Einstellungen",
  discard: "Verwerfen",
  changes: "Ändert: {names}",
  gone: "Hier hat nichts die Id {id}. Vielleicht wurde es gelöscht.",
  allOf: "Alle",
  find: "In dieser Liste finden",
  findPlaceholder: "Ein Wort aus Titel, Id, Notizen …",
  removeTitle: "{name} löschen?",
  removed: "{name} ist gelöscht.",
  facts: "Fakten",
  revision: "Fassung",
  usedBy: "Verwendet von",
  unused: "Nichts, was Sie sehen dürfen, nennt es.",
  history: "Verlauf",
  noHistory: "Es ist keine Änderung bekannt, oder Sie dürfen sie nicht sehen.",
  "did.create": "{who} hat es angelegt",
  "did.update": "{who} hat es geändert",
  "did.delete": "{who} hat es gelöscht",
  restore: "In den Editor übernehmen",
  restoreOf: "In den Editor übernehmen: den Stand von {time}",
  noDifference: "Nichts Zeigbares ist anders.",
  before: "Vorher:",
  after: "Nachher:",
};
