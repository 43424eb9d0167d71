import { expect, test } from "vitest";
import { silencesFor } from "./scopes.ts";

const firing = (text: string) => {
  const [alert = "", server = ""] = text.split(" ");
  return { alert, server };
};

test.each([
  ["nothing", [], []],
  ["one firing", ["cpu web"], [{ alerts: ["cpu"], servers: ["web"] }]],
  ["one alert on two servers", ["cpu web", "cpu db"], [{ alerts: ["cpu"], servers: ["web", "db"] }]],
  [
    "two alerts, each on its server",
    ["cpu web", "disk db", "cpu web"],
    [
      { alerts: ["cpu"], servers: ["web"] },
      { alerts: ["disk"], servers: ["db"] },
    ],
  ],
  ["one alert on events", ["late event:backup", "late event:copy"], [{ alerts: ["late"], events: ["backup", "copy"] }]],
  [
    "one alert on different subjects",
    ["late event:backup", "late heartbeat:copy", "late check:shop"],
    [
      { alerts: ["late"], events: ["backup"] },
      { alerts: ["late"], heartbeats: ["copy"] },
      { alerts: ["late"], checks: ["shop"] },
    ],
  ],
])("%s is silenced, and nothing else", (_what, firings, silences) => {
  expect(silencesFor(firings.map(firing))).toEqual(silences);
});
