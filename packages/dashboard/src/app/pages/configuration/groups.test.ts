import { describe, expect, test } from "vitest";
import { GROUPS, groupOf, inWords, unitOf } from "./groups.ts";
import { SETTINGS } from "./settings.ts";

const KNOWN = SETTINGS.trim()
  .split("\n")
  .map((line) => line.split("\t") as [string, string, string]);

describe("groups of settings", () => {
  test.each([
    ["client.new_ticket_template", "tickets"],
    ["client.ticket_upload_settings.max_file_size", "tickets"],
    ["ticket_upload_settings", "tickets"],
    ["tickets.templates", "tickets"],
    ["client.name", "general"],
    ["client.new_event_template", "jobs"],
    ["User.use_csrf", "people"],
    ["hooks", "hooks"],
    ["web_hooks.allow", "hooks"],
    ["checks.allow", "alerts"],
    ["web_hook_custom_opts", "hooks"],
    ["email_from", "mail"],
    ["mail_settings", "mail"],
    ["action_timeout", "alerts"],
    ["WebServer.max_upload_size", "web"],
    ["own_plugin.colour", undefined],
  ])("%s is in the group of %s", (path, group) => expect(groupOf(path)).toBe(group));

  test("every setting of the engine is in one, and no group is empty", () => {
    expect(KNOWN.map(([path]) => path).filter((path) => !groupOf(path))).toEqual([]);
    expect(GROUPS.filter((group) => !KNOWN.some(([path]) => groupOf(path) === group))).toEqual([]);
  });
});

describe("numbers of settings in words", () => {
  test.each([
    ["Bytes of a JSON body.", 16_777_216, "16 MB"],
    ["Bytes of one file.", 1_000_000, "977 KB"],
    ["Seconds that one action may take.", 300, "5 min"],
    ["Seconds between pings.", 5, "5 s"],
    ["Milliseconds between the starts.", 50, "50 ms"],
    ["Milliseconds between the starts.", 1500, "2 s"],
    ["Hours that full minutes are kept.", 48, "2 d"],
    ["Days without use.", 365, "365 d"],
    ["Mails of jobs.", 5, undefined],
    ["Seconds that a stop waits.", 0, undefined],
    ["Bytes of one file.", "many", undefined],
  ])("%s %s", (meaning, value, words) => expect(inWords(value, unitOf(meaning))).toBe(words));
});
