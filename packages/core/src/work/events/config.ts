import * as z from "zod";

/** See docs/contract/configuration.md#keys: the form when the configuration gives none. */
const NEW_EVENT: Record<string, unknown> = {
  triggers: [{ type: "manual", enabled: true }],
  limits: [
    { type: "job", enabled: true, amount: 1 },
    { type: "queue", enabled: true, amount: 0 },
    { type: "retry", enabled: true, amount: 0, duration: 0 },
  ],
};

/** Members of `client`. */
export const eventsClientConfig = {
  new_event_template: z
    .record(z.string(), z.unknown())
    .default(NEW_EVENT)
    .describe("Initial values of forms for new events; the API adds nothing of it."),
};
