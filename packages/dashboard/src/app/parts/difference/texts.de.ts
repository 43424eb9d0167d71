import type { Translated } from "../../texts/catalogue.ts";
import type { differenceTexts } from "./texts.ts";

export const difference: Translated<typeof differenceTexts> = {
  same: "Nichts wurde geändert.",
  conflict: "Jemand hat es inzwischen geändert",
  theirs: "Die anderen Änderungen",
  mine: "Ihre Änderungen",
  keepMine: "Mit beiden weiter, Ihre darüber",
  takeTheirs: "Ihre aufgeben",
};
