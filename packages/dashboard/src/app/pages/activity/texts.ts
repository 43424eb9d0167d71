import { catalogue } from "../../texts/catalogue.ts";

export const activityTexts = {
  title: "Activity",
  summary: "Who did what, newest first.",
  rows: "Actions",
  find: "Find in the log",
  placeholder: "Everything, newest first. A user, an id, an address, action:, date: …",
  action: "Action",
  keywords: "About",
  date: "Date",
  what: "What",
  who: "Who",
  from: "From",
  with: "With",
  when: "When",
  about: "About",
} as const;
export const t = catalogue("activity", activityTexts);
