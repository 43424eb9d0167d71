import * as z from "zod";

/** Members of the configuration (docs/contract/configuration.md#keys). */
export const noticesConfig = {
  notices: z
    .looseObject({
      ack_link_days: z
        .int()
        .min(1)
        .max(90)
        .default(7)
        .describe("Days for which the link in a notice acknowledges what the notice named."),
    })
    .prefault({}),
};
