import { catalogue } from "../../texts/catalogue.ts";

export const ticketLinksTexts = {
  add: "Add to a ticket",
  for: "Add {name} to a ticket",
  number: "Number of the ticket",
  none: "There is no ticket {num}.",
  added: "{name} stands in ticket {num}.",
  removed: "{name} was taken out of ticket {num}.",
  so: "It stands in",
} as const;
export const t = catalogue("ticketLinks", ticketLinksTexts);
