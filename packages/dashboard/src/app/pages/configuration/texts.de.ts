import type { Translated } from "../../texts/catalogue.ts";
import type { configurationTexts } from "./texts.ts";

export const configuration: Translated<typeof configurationTexts> = {
  title: "Konfiguration",
  summary: "{n} Einstellungen, davon {set} im Betrieb gesetzt.",
  settings: "Einstellungen",
  find: "Einstellungen finden",
  placeholder: "Ein Wort aus dem Namen oder der Bedeutung …",
  show: "Welche Einstellungen",
  onlySet: "Im Betrieb gesetzt",
  warnings: "Darauf sollte der Betreiber sehen",
  isSet: "im Betrieb gesetzt",
  default: "sonst {value}",
  value: "Neuer Wert, sofort auf jedem Knoten",
  saved: "{path} ist gesetzt.",
  noJson: "Das ist kein JSON: {fault}",
};
