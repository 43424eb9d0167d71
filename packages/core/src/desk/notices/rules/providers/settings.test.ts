import { describe, expect, test } from "vitest";
import type { Service } from "./names.ts";
import { areSettingsGood, MASK, mayMask, type Settings, splitSettings } from "./settings.ts";

test.each<[Service | "sms", Settings, boolean]>([
  ["slack", { url: "https://hooks.slack.com/services/T/B/x" }, true],
  ["slack", { token: "xoxb-1", channel: "C1" }, true],
  ["slack", { token: "xoxb-1" }, false],
  ["slack", { token: MASK, channel: "C1" }, true],
  ["slack", { url: "hooks.slack.com" }, false],
  ["slack", { url: "https://mia:secret@hooks.slack.com/" }, false],
  ["slack", {}, false],
  ["teams", { url: "https://x.logic.azure.com/workflows/1" }, true],
  ["teams", { url: "https://x.logic.azure.com/workflows/1", room: "a" }, false],
  ["telegram", { token: "1:a", chat: "-100", thread: "" }, true],
  ["telegram", { token: "1:a", chat: "-100", thread: "7" }, true],
  ["telegram", { token: "1:a", chat: "-100", thread: "general" }, false],
  ["telegram", { token: "1:a" }, false],
  ["telegram", { token: "1:a", chat: MASK }, true],
  ["pagerduty", { routing_key: "R0", region: "eu" }, true],
  ["pagerduty", { routing_key: "R0", region: "asia" }, false],
  ["opsgenie", { key: "k", base_url: "https://alerts.example.com" }, true],
  ["opsgenie", { key: "a\nb" }, false],
  ["ntfy", { topic: "ops" }, true],
  ["matrix", { url: "https://matrix.example.org", room: "!a:example.org", token: "t" }, true],
  ["matrix", { url: "https://matrix.example.org", room: "!a:example.org" }, false],
  ["sms", { to: "+491701234567" }, true],
  ["sms", {}, false],
])("%s with %j is good: %s", (service, settings, isGood) => {
  expect(areSettingsGood(service, settings)).toBe(isGood);
});

describe("settings that were sent to the API", () => {
  const split = (sent: Settings, sealed: Settings = {}) => splitSettings("slack", sent, sealed);

  test("show no secret", () => {
    expect(split({ token: "xoxb-1", channel: "C1" })).toEqual({
      shown: { token: MASK, channel: "C1" },
      secrets: { token: "xoxb-1" },
    });
  });

  test("keep the values of masks, and drop empty and absent ones", () => {
    expect(split({ token: MASK, channel: "C2" }, { token: "xoxb-1", url: "https://a" })).toEqual({
      shown: { token: MASK, channel: "C2" },
      secrets: { token: "xoxb-1" },
    });
    expect(split({ token: "", channel: "C2" }, { token: "xoxb-1" })).toEqual({ shown: { channel: "C2" }, secrets: {} });
  });

  test("have no value where a mask has no stored value", () => {
    expect(split({ token: MASK })).toEqual({ shown: {}, secrets: {} });
  });
});

test.each<[Service, Settings, Settings, boolean]>([
  ["ntfy", { url: "https://a", topic: "u", token: MASK }, { url: "https://a", topic: "t", token: MASK }, true],
  ["ntfy", { url: "https://b", topic: "t", token: MASK }, { url: "https://a", topic: "t", token: MASK }, false],
  ["ntfy", { topic: "t", token: MASK }, { url: "https://a", topic: "t", token: MASK }, false],
  ["ntfy", { url: "https://b", topic: "t", token: "new" }, { url: "https://a", topic: "t", token: MASK }, true],
  ["opsgenie", { key: MASK, base_url: "https://b" }, { key: MASK }, false],
  ["slack", { token: MASK, channel: "C2" }, { token: MASK, channel: "C1" }, true],
])("masks of %s in %j stand for secrets stored with %j: %s", (type, sent, stored, may) => {
  expect(mayMask(type, sent, stored)).toBe(may);
});
