import { describe, expect, test } from "vitest";
import { deedAbout, deedWords } from "./deeds.ts";

const CASES = [
  [{ action: "user_login", description: "" }, "Signed in", ""],
  [{ action: "web_hook_create", description: "Chat" }, "Web hook created", "Chat"],
  [{ action: "event_update", description: "Nightly" }, "Event changed", "Nightly"],
  [{ action: "ticket_update", description: "t1", ticket: { subject: "Paper jam" } }, "Ticket changed", "Paper jam"],
  [{ action: "alert_new", description: "New alert for: db: Disk Full" }, "", "New alert for: db: Disk Full"],
  [
    { action: "config_update", description: "", params: ["client.name", "tz"] },
    "Configuration changed",
    "client.name, tz",
  ],
  [{ action: "warning", description: "" }, "Warning", ""],
  [{ action: "peer_disconnect", description: "db" }, "Node gone", "db"],
  [{ action: "web_hook_test", description: "Chat" }, "Web hook test", "Chat"],
  [{ action: "constructor", description: "x" }, "Constructor", "x"],
] as const;

describe("rows of the activity log in words", () => {
  test.each(CASES)("%j", (row, words, about) => {
    expect([deedWords(row), deedAbout(row)]).toEqual([words, about]);
  });
});
