import { describe, expect, test } from "vitest";
import { actorOf, deedAbout, deedWords } from "./deeds.ts";

const SCHEDULER = "scheduler.enabled";
const CASES = [
  [{ action: "user_login", description: "" }, "Signed in", ""],
  [{ action: "web_hook_create", description: "Chat" }, "Web hook created", "Chat"],
  [{ action: "event_update", description: "Nightly" }, "Event changed", "Nightly"],
  [{ action: "ticket_update", description: "t1", ticket: { subject: "Paper jam" } }, "Ticket changed", "Paper jam"],
  [{ action: "alert_new", description: "New alert for: db: Disk Full" }, "Alert fired", "db: Disk Full"],
  [
    { action: "server_add", description: "Server connected to the network: db (10.0.0.1)" },
    "Server connected",
    "db (10.0.0.1)",
  ],
  [{ action: "server_remove", description: "db" }, "Server disconnected", "db"],
  [
    { action: "state_update", description: SCHEDULER, state: { scheduler: { enabled: false } } },
    "Scheduler paused",
    "",
  ],
  [
    { action: "state_update", description: SCHEDULER, state: { scheduler: { enabled: true } } },
    "Scheduler switched on",
    "",
  ],
  [{ action: "state_update", description: SCHEDULER }, "State changed", SCHEDULER],
  [{ action: "state_update", description: "lock", state: { lock: 7 } }, "State changed", "lock = 7"],
  [
    { action: "state_update", description: "watches.db", state: { watches: { db: { end: 1 } } } },
    "State changed",
    "watches.db",
  ],
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
    ["the user who acted on the account of the row", { username: "mara", admin: "root" }, "root"],
    ["nobody", {}, ""],
  ])("the row was caused by %s", (_case, row, actor) => {
    expect(actorOf(row)).toBe(actor);
  });
});
