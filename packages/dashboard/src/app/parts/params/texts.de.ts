import type { Translated } from "../../texts/catalogue.ts";
import type { paramsTexts } from "./texts.ts";

export const params: Translated<typeof paramsTexts> = {
  required: "{name} (nötig)",
  locked: "Diesen Wert wählen nur Administratoren.",
  missing: "Das wird gebraucht.",
  none: "Keine",
  json: "Das ist noch kein JSON: {fault}",
};
