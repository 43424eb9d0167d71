import { describe, expect, test } from "vitest";
import { createSignalbox } from "../../engine/signalbox.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { defineEvent } from "../../work/events/define-event.ts";
import { codeVersionOf } from "./code-version.ts";
import type { HostEvent, Plugin } from "./plugin.ts";

const eventOf = (run: () => unknown, title = "Report"): HostEvent => defineEvent({ id: "report", title, run });
const versionOf = (events: readonly HostEvent[], plugins: readonly Plugin[] = []): string =>
  codeVersionOf({ hostEvents: new Map(events.map((event) => [event.id, event])) }, plugins);

describe("the version of a host's definitions", () => {
  const first = versionOf([eventOf(() => 1)]);

  test("is the same for the same definitions", () => {
    expect(first).toMatch(/^[0-9a-f]{12}$/);
    expect(versionOf([eventOf(() => 1)])).toBe(first);
  });

  test.each<[string, () => string]>([
    ["a function", () => versionOf([eventOf(() => 2)])],
    ["a title", () => versionOf([eventOf(() => 1, "Other")])],
    ["a plugin", () => versionOf([eventOf(() => 1)], [{ id: "acme.deploys" }])],
    [
      "the module of a worker",
      () => versionOf([defineEvent({ id: "report", title: "Report", worker: { module: "file:///a.js" } })]),
    ],
    ["an event", () => versionOf([])],
  ])("changes with %s", (_what, changed) => {
    expect(changed()).not.toBe(first);
  });
});

test.each(["", "two words", "x".repeat(65), 5])("%j is no version that a host may give", (codeVersion) => {
  const options = { storage: memoryStorage(), secretKey: "a secret key for tests", codeVersion: codeVersion as string };
  expect(() => createSignalbox(options)).toThrow("codeVersion");
});
