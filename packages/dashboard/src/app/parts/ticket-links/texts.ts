import { catalogue } from "../../texts/catalogue.ts";

export const ticketLinksTexts = {
  add: "Add to a ticket",
  for: "Add {name} to a ticket",
  number: "Number of the ticket",
  none: "There is no ticket {num}.",
  added: "{name} was added to ticket {num}.",
  removed: "{name} was removed from ticket {num}.",
  so: "Linked to",
} as const;
export const t = catalogue("ticketLinks", ticketLinksTexts);
