import { catalogue } from "../../texts/catalogue.ts";

export const differenceTexts = { same: "Nothing was changed." } as const;
export const t = catalogue("difference", differenceTexts);
