import { catalogue } from "../../texts/catalogue.ts";

export const categoriesTexts = {
  title: "Categories",
  create: "Create category",
  empty:
    "There are no categories. Each event belongs to one: it gives defaults to jobs, and bounds what people may see.",
  removal: "Nothing belongs to it any more. Accounts and roles that are limited to it keep its id.",
  stillUsed: {
    one: "1 event belongs to it, so it will be refused: move the event first.",
    other: "{n} events belong to it, so it will be refused: move them first.",
  },
  events: "Events",
  color: "Colour",
  actions: "Actions of all its jobs",
  actionsHelp: "They come after those of the event itself.",
  limits: "Limits of all its jobs",
  limitsHelp: "Those of the event itself come first.",
} as const;
export const t = catalogue("categories", categoriesTexts);
