import { catalogue } from "../../texts/catalogue.ts";

export const tagsTexts = {
  title: "Tags",
  create: "Create tag",
  empty: "There are no tags. Events, jobs and tickets carry them, so that searches and rules find them again.",
  removal:
    "Events, jobs and tickets that carry it ignore it from then on. A new tag of the same id brings it back to life.",
  given: "Given to",
  jobs: "Finished jobs",
  tickets: "Tickets",
} as const;
export const t = catalogue("tags", tagsTexts);
