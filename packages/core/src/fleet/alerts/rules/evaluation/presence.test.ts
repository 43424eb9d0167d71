import { describe, expect, test } from "vitest";
import { MISSED_SEC } from "../../../servers/rules/departure.ts";
import { type Contact, presenceOf } from "./presence.ts";

const NOW = 1_800_000_000;
const contact = (members: Partial<Contact> = {}): Contact => ({
  server: { enabled: true },
  isEphemeral: false,
  isOnline: false,
  isLeaving: false,
  lastContact: NOW - 400,
  now: NOW,
  ...members,
});

describe("the presence of a server", () => {
  test("is silent since its last contact, and never while it is connected", () => {
    expect(presenceOf(contact())).toEqual({ online: false, silent_sec: 400, since: NOW - 400, expected: true });
    expect(presenceOf(contact({ isOnline: true }))).toEqual({
      online: true,
      silent_sec: 0,
      since: NOW,
      expected: true,
    });
    expect(presenceOf(contact({ lastContact: NOW + 50 })).silent_sec).toBe(0);
  });

  test.each<[string, Partial<Contact>, boolean]>([
    ["enabled", {}, true],
    ["disabled", { server: { enabled: false } }, false],
    ["being uninstalled", { isLeaving: true }, false],
    ["ephemeral", { isEphemeral: true }, false],
    ["silent for a week", { lastContact: NOW - MISSED_SEC }, true],
    ["silent for longer than a week", { lastContact: NOW - MISSED_SEC - 1 }, false],
  ])("of a server that is %s is expected: %s", (_which, members, expected) => {
    expect(presenceOf(contact(members)).expected).toBe(expected);
  });
});
