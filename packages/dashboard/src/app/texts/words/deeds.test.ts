import { describe, expect, test } from "vitest";
import { actorOf, deedAbout, deedWords } from "./deeds.ts";

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
  [{ action: "apikey_create", description: "Deployment" }, "API key created", "Deployment"],
  [{ action: "marketplace_update", description: "x" }, "Marketplace changed", "x"],
  [
    { action: "user_create", username: "mara", admin: "root", user: { full_name: "Mara Lindqvist" } },
    "Account created",
    "Mara Lindqvist",
  ],
  [{ action: "user_delete", username: "mara", admin: "root", user: {} }, "Account deleted", "mara"],
  [{ action: "user_update", username: "mara", user: { full_name: "Mara" } }, "Account changed", ""],
  [{ action: "peer_disconnect", description: "db" }, "Node gone", "db"],
  [{ action: "web_hook_test", description: "Chat" }, "Web hook test", "Chat"],
  [{ action: "constructor", description: "x" }, "Constructor", "x"],
] as const;

describe("rows of the activity log in words", () => {
  test.each(CASES)("%j", (row, words, about) => {
    expect([deedWords(row), deedAbout(row)]).toEqual([words, about]);
  });
  test.each([
    ["the account of the row", { username: "mara" }, "mara"],
    ["who acted on the account of the row", { username: "mara", admin: "root" }, "root"],
    ["nobody", {}, ""],
  ])("it was %s", (_case, row, actor) => {
    expect(actorOf(row)).toBe(actor);
  });
});
