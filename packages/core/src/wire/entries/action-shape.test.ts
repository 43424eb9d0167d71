import { describe, expect, test } from "vitest";
import * as z from "zod";
import { describeIssue } from "../issues.ts";
import { actionList, checkActions, findMissing, referencedIds } from "./action-shape.ts";

const action = (type: unknown, members: object = {}) => ({ enabled: true, condition: "error", type, ...members });
const ticket = { ticket_type: "issue", ticket_assignees: [], ticket_tags: [] };

const refused: readonly (readonly [unknown, string])[] = [
  [null, " (not an object)"],
  [7, " (not an object)"],
  [[], " (not an object)"],
  [{ condition: "error", type: "snapshot" }, ": Missing enabled flag"],
  [{ enabled: true, type: "snapshot" }, ": Invalid condition"],
  [{ enabled: true, condition: "continue", type: "snapshot" }, ": Invalid condition"],
  [{ enabled: true, condition: "instant", type: "snapshot" }, ": Invalid condition"],
  [{ enabled: true, condition: "tag:", type: "snapshot" }, ": Invalid condition"],
  [{ enabled: true, condition: "tag:a b", type: "snapshot" }, ": Invalid condition"],
  [{ enabled: true, condition: "error\n", type: "snapshot" }, ": Invalid condition"],
  [{ enabled: true, condition: ["error"], type: "snapshot" }, ": Invalid condition"],
  [action("email"), ": Invalid user list."],
  [action("email", { email: "" }), ": Invalid user list."],
  [action("email", { users: "joe", email: "a@b.c" }), ": Invalid user list."],
  [action("email", { users: [5] }), ": Invalid user list."],
  [action("email", { users: ["joe"], email: 5 }), ": Invalid email address."],
  [action("email", { users: [] }), ": No email addresses provided."],
  [action("email", { users: [], email: "" }), ": No email addresses provided."],
  [action("web_hook"), ": Invalid Web Hook ID."],
  [action("web_hook", { web_hook: "a-b" }), ": Invalid Web Hook ID."],
  [action("web_hook", { web_hook: 5 }), ": Invalid Web Hook ID."],
  [action("run_event", { event_id: "" }), ": Invalid Event ID."],
  [action("run_event", { event_id: "e1", params: [] }), ": Invalid parameters (not an object)"],
  [
    action("run_event", { event_id: "e1", params: { _xy_override_plugin: "x" } }),
    ": Invalid parameter ID: _xy_override_plugin (reserved)",
  ],
  [action("channel", { channel_id: null }), ": Invalid Channel ID."],
  [action("store", { bucket_sync: "data" }), ": Invalid Bucket ID."],
  [action("store", { bucket_id: "b1" }), ": Invalid Bucket sync type."],
  [action("fetch", { bucket_id: "b1", bucket_sync: "all" }), ": Invalid Bucket sync type."],
  [action("ticket", { ...ticket, ticket_type: "A b" }), ": Invalid Ticket type."],
  [action("ticket", { ...ticket, ticket_assignees: "joe" }), ": Invalid Ticket assignees."],
  [action("ticket", { ...ticket, ticket_tags: undefined }), ": Invalid Ticket tag list."],
  [action("ticket", { ...ticket, ticket_due: {} }), ": Invalid Ticket due type."],
  [action("tag"), ": Invalid tag list."],
  [action("tag", { tags: [1] }), ": Invalid tag list."],
  [action("tag", { tags: [] }), ": No tags selected."],
  [action("label"), ": Invalid label."],
  [action("label", { label: "<b>" }), ": Label contains invalid characters."],
  [action("label", { label: "" }), ": No label specified."],
  [action("plugin", { plugin_id: "a.b" }), ": Invalid Plugin ID."],
  [
    action("plugin", { plugin_id: "p1", params: { _xy_override_command: "x" } }),
    ": Invalid parameter ID: _xy_override_command (reserved)",
  ],
  [action("reboot"), ": Unknown type"],
  [action(undefined), ": Unknown type"],
  [action("constructor"), ": Unknown type"],
];

const conditions = ["start", "complete", "success", "warning", "error", "user", "critical", "abort"];
const accepted: readonly unknown[] = [
  ...[...conditions, "tag:Prod_1", "alert_new", "alert_cleared"].map((condition) => ({
    enabled: true,
    condition,
    type: "snapshot",
  })),
  action("email", { users: ["joe"] }),
  action("email", { users: ["joe"], email: null }),
  action("email", { email: "a@b.c" }),
  action("web_hook", { web_hook: "Ops_1", text: "hello" }),
  action("run_event", { event_id: "e1" }),
  action("run_event", { event_id: "e1", params: { _xy_override_label: "x" } }),
  action("channel", { channel_id: "ch1" }),
  ...["data", "files", "data_and_files"].flatMap((bucket_sync) => [
    action("store", { bucket_id: "b1", bucket_sync }),
    action("fetch", { bucket_id: "b1", bucket_sync }),
  ]),
  ...["issue", "feature", "release", "change", "maintenance", "question", "other", "bug", "outage"].map((ticket_type) =>
    action("ticket", { ...ticket, ticket_type }),
  ),
  action("ticket", { ...ticket, ticket_due: 86400 }),
  action("ticket", { ...ticket, ticket_due: "3 days" }),
  action("ticket", { ...ticket, reuse: "open", close_on_clear: 1 }),
  action("ticket", { ...ticket, reuse: "new", per: "problem" }),
  action("tag", { tags: ["never_checked"] }),
  action("label", { label: "{{job.id}}" }),
  action("plugin", { plugin_id: "p1", params: null }),
  action("snapshot"),
  action("suspend"),
  action("disable"),
  action("delete"),
  { enabled: 0, condition: "error", type: "snapshot", hidden: true },
];

describe("checkActions", () => {
  test.each([undefined, null, {}, "x"])("refuses %j as a list", (value) => {
    expect(checkActions(value)).toBe("Malformed event parameter: actions (must be array)");
  });

  test.each(refused)("refuses %j", (entry, fault) => {
    expect(checkActions([entry])).toBe(`Malformed action entry #1${fault}`);
  });

  test.each(accepted)("accepts %j", (entry) => {
    expect(checkActions([entry])).toBeUndefined();
  });

  test("names the first bad entry, counted from 1", () => {
    expect(checkActions([action("snapshot"), action("tag"), null])).toBe(
      "Malformed action entry #2: Invalid tag list.",
    );
  });

  test("a plugin's type is known when it is given, and checks its own options", () => {
    const types = new Map([
      [
        "page",
        {
          validate: (entry: Readonly<Record<string, unknown>>) => {
            if (!entry["pager"]) throw new Error("Invalid pager.");
          },
        },
      ],
    ]);
    expect(checkActions([action("page")])).toBe("Malformed action entry #1: Unknown type");
    expect(checkActions([action("page")], { types })).toBe("Malformed action entry #1: Invalid pager.");
    expect(checkActions([action("page", { pager: "1" })], { types })).toBeUndefined();
  });
});

test("referencedIds names events and plugins with the place of their action", () => {
  const actions = [
    action("snapshot", { event_id: "ignored" }),
    action("run_event", { event_id: "e1" }),
    action("plugin", { plugin_id: "p1" }),
    action("run_event", { event_id: "e1" }),
    action("web_hook", { web_hook: "w1" }),
  ];
  expect(referencedIds(actions)).toEqual({
    events: [
      { id: "e1", where: "Malformed action entry #2" },
      { id: "e1", where: "Malformed action entry #4" },
    ],
    plugins: [{ id: "p1", where: "Malformed action entry #3" }],
  });
});

test("findMissing names the first action with a dangling event or plugin", () => {
  const actions = [
    action("snapshot"),
    action("run_event", { event_id: "e1" }),
    action("plugin", { plugin_id: "p1" }),
    action("run_event", { event_id: "e2" }),
  ];
  const knowing = (...ids: string[]) => ({
    event: (id: string) => ids.includes(id),
    plugin: (id: string) => ids.includes(id),
  });
  expect(findMissing(actions, knowing("e1", "p1", "e2"))).toBeUndefined();
  expect(findMissing(actions, knowing("e1", "e2"))).toBe("Malformed action entry #3: Plugin not found: p1");
  expect(findMissing(actions, knowing())).toBe("Malformed action entry #2: Event not found: e1");
});

test("actionList passes the message through a schema", () => {
  const schema = z.looseObject({ actions: actionList().optional() });
  const input = { actions: {} };
  const issue = schema.safeParse(input).error?.issues[0];
  expect(issue && describeIssue(issue, input)).toBe("Malformed event parameter: actions (must be array)");
  expect(schema.parse({ actions: [action("snapshot")] }).actions).toEqual([action("snapshot")]);
  expect(schema.parse({})).toEqual({});
});
