import type { Translated } from "../../texts/catalogue.ts";
import type { ticketLinksTexts } from "./texts.ts";

export const ticketLinks: Translated<typeof ticketLinksTexts> = {
  add: "Einem Ticket hinzufügen",
  for: "{name} einem Ticket hinzufügen",
  number: "Nummer des Tickets",
  none: "Es gibt kein Ticket {num}.",
  added: "{name} steht im Ticket {num}.",
  removed: "{name} steht nicht mehr im Ticket {num}.",
  so: "Bisher in",
};
