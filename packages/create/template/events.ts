/** Your own work: what runs, when, and how often it is retried. */
import { defineEvent } from "@signalbox/core";

const hello = defineEvent({
  id: "hello",
  title: "Say hello",
  schedule: "*/5 * * * *",
  limits: [{ type: "retry", enabled: true, amount: 3, duration: 60 }],
  run: ({ log }) => log("Hello"),
});

export const events = [hello];
