import { expect, test } from "vitest";
import { trialItem, triggerEnvironment, triggerLine } from "./trigger-line.ts";

test("the item names its minute in local time of the zone", () => {
  const trial = { pluginId: "p1", params: { a: 1 }, timezone: "America/New_York", epoch: 1_800_000_059.5 };
  expect(trialItem(trial)).toEqual({
    type: "plugin",
    enabled: true,
    plugin_id: "p1",
    params: { a: 1 },
    timezone: "America/New_York",
    dargs: { year: 2027, month: 1, day: 15, rday: -17, weekday: 5, hour: 3, minute: 0 },
    now: 1_800_000_000,
    job: { id: "1234567890", label: "Test" },
  });
});

test("the input is one line of JSON", () => {
  const variables = [
    { name: "A", value: "first\n", masked: true },
    { name: "A", value: "last\n", masked: true },
  ];
  const line = triggerLine({ items: [], variables, baseUrl: "https://x", activeJobs: [{ id: "j1" }] });
  expect(line.indexOf("\n")).toBe(line.length - 1);
  expect(JSON.parse(line)).toEqual({
    ...{ xy: 1, type: "trigger", items: [], secrets: { A: "last\n" } },
    ...{ base_url: "https://x", active_jobs: [{ id: "j1" }] },
  });
});

test("facts take precedence over secrets, and variables that the kernel would refuse are left out", () => {
  const secret = (name: string, value: string) => ({ name, value, masked: true });
  const many = Array.from({ length: 12 }, (_, index) => secret(`M${index}`, "x".repeat(100_000)));
  const variables = [secret("XYOPS", "mine"), secret("NUL", "a\0b"), secret("BIG", "x".repeat(131_001)), ...many];
  const environment = triggerEnvironment(variables, { XYOPS: "1" });
  expect(Object.keys(environment)).toEqual(["XYOPS", ...many.slice(0, 9).map(({ name }) => name)]);
  expect(environment["XYOPS"]).toBe("1");
});
