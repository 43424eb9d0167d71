import { catalogue } from "../../texts/catalogue.ts";

export const tagsTexts = {
  title: "Tags",
  create: "Create tag",
  empty: "There are no tags. Tags on events, jobs and tickets help searches and rules find them.",
  removal: "Events, jobs and tickets that carry it will ignore it. A new tag with the same id brings it back.",
  given: "Given to",
  jobs: "Finished jobs",
  tickets: "Tickets",
} as const;
export const t = catalogue("tags", tagsTexts);
