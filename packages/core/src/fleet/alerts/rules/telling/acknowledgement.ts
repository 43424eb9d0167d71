import * as z from "zod";
import type { Acknowledgement } from "../../model.ts";

/** Input for acknowledging a firing. */
export const acknowledgementInput = {
  comment: z.string().max(10_000).default(""),
  notify_cleared: z.boolean().default(false).describe("The clearing is still reported."),
  expires: z.number().optional().describe("Unix seconds at which it ends by itself; absent = with the firing."),
};

/** An acknowledgement as it was sent, with the person. */
export type Takeover = Omit<Acknowledgement, "date">;

/** `now` is Unix seconds. */
export const newAcknowledgement = (
  { username, name, link, comment, notify_cleared, expires }: Takeover,
  now: number,
): Acknowledgement => ({
  username,
  date: now,
  comment,
  notify_cleared,
  ...(name ? { name } : {}),
  ...(link ? { link } : {}),
  ...(expires === undefined ? {} : { expires }),
});
