import type { Translated } from "../../texts/catalogue.ts";
import type { differenceTexts } from "./texts.ts";

export const difference: Translated<typeof differenceTexts> = { same: "Nichts wurde geändert." };
