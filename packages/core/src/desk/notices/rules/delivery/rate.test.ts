import { expect, test } from "vitest";
import type { Receiver } from "../../model.ts";
import { perHourOf } from "./rate.ts";

test.each<[Partial<Receiver> | undefined, string, number]>([
  [{ type: "mail" }, "warning", 30],
  [{ type: "mail" }, "critical", 60],
  [{ type: "mail", max_per_hour: 5 }, "info", 5],
  [{ type: "mail", max_per_hour: 0 }, "critical", 0],
  [{ type: "web_hook" }, "critical", 0],
  [{ type: "web_hook", max_per_hour: 5 }, "critical", 10],
  [undefined, "warning", 30],
])("%j gets of %s notices within an hour: %d", (receiver, severity, most) => {
  expect(perHourOf(receiver as Receiver | undefined, severity)).toBe(most);
});
