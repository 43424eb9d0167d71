import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { Activity } from "../../directory/activity/model.ts";
import { ApiKey } from "../../directory/api-keys/model.ts";
import { Bucket, BucketFile } from "../../directory/buckets/model.ts";
import { Category } from "../../directory/categories/model.ts";
import { Channel } from "../../directory/channels/model.ts";
import { Group } from "../../directory/groups/model.ts";
import { PluginRecord } from "../../directory/plugins/model.ts";
import { Role } from "../../directory/roles/model.ts";
import { Secret } from "../../directory/secrets/model.ts";
import { Tag } from "../../directory/tags/model.ts";
import { User } from "../../directory/users/model.ts";
import { PublicDelivery, WebHook } from "../../directory/web-hooks/model.ts";
import { builtins } from "../../engine/builtins.ts";
import { Alert, Invocation } from "../../fleet/alerts/model.ts";
import { Check } from "../../fleet/checks/model.ts";
import { Monitor } from "../../fleet/monitors/model.ts";
import { HostRecord, Server } from "../../fleet/servers/model.ts";
import { Silence } from "../../fleet/silences/model.ts";
import { Snapshot } from "../../fleet/snapshots/model.ts";
import { Event } from "../../work/events/model.ts";
import { nodeSchema } from "../../work/graphs/rules/graph-types.ts";
import { Heartbeat } from "../../work/heartbeats/model.ts";
import { Job, JobDetails } from "../../work/jobs/model.ts";
import { Decision, Notice, Problem, Receiver, Rota, Route } from "../notices/model.ts";
import { Ticket } from "../tickets/model.ts";
import { ACTION_REFERENCES } from "./rules/actions.ts";
import { REFERENCES } from "./rules/table.ts";

/** Schemas of records that callers write and read, by collection. */
const SCHEMAS: Readonly<Record<string, z.ZodObject>> = {
  ...{ activity: Activity, alerts: Alert, alert_invocations: Invocation, api_keys: ApiKey, categories: Category },
  ...{ buckets: Bucket, bucket_files: z.object({ files: z.array(BucketFile) }), channels: Channel },
  ...{
    events: Event,
    groups: Group,
    heartbeats: Heartbeat,
    checks: Check,
    hosts: HostRecord,
    jobs: Job.extend(JobDetails.shape),
  },
  ...{ monitors: Monitor, plugins: PluginRecord, roles: Role, secrets: Secret, servers: Server, silences: Silence },
  ...{ snapshots: Snapshot, tags: Tag, tickets: Ticket, users: User },
  ...{ web_hooks: WebHook, web_hook_deliveries: PublicDelivery },
  ...{
    receivers: Receiver,
    routes: Route,
    rotas: Rota,
    problems: Problem,
    notices: Notice,
    notice_decisions: Decision,
  },
};

/** Collections that only the engine writes, derived from the records above; callers never see them in this form. */
const INTERNAL: ReadonlySet<string> = new Set([
  ...[
    "active_jobs",
    "alert_states",
    "bucket_data",
    "channel_counts",
    "config_overrides",
    "deleted_servers",
    "enrolment_tokens",
    "event_history",
    "check_claims",
    "check_results",
    "check_states",
    "expectations",
    "heartbeat_beats",
    "heartbeat_pings",
    "heartbeat_tokens",
    "receiver_health",
  ],
  ...["event_states", "job_launches", "job_log_chunks", "job_nodes", "job_stats", "job_timelines"],
  ...["key_use", "mail_counts", "overdue_runs", "password_recoveries", "secret_canary", "secret_payloads"],
  ...["security_log", "server_places", "sessions", "snapshot_parts", "state", "ticket_mails", "ticket_numbers"],
  ...["ticket_problems", "ticket_runs", "web_hook_counts"],
  ...["workflow_runs", "workflow_nodes", "workflow_parts", "workflow_ends", "workflow_kept", "transfer_tokens"],
]);

const NOUNS = [
  ...["alert", "bucket", "category", "channel", "event", "group", "invocation", "job", "monitor", "plugin", "role"],
  ...["secret", "server", "silence", "tag", "target", "ticket", "user", "web_hook", "workflow"],
];
const NAMES = NOUNS.flatMap((noun) => [noun, noun === "category" ? "categories" : `${noun}s`]).join("|");
/** Matches "event", "plugin_id", "run_event", "ticket_tags" …, and the members that name people by their role. */
const NAMES_A_RECORD = new RegExp(`^(?:\\w+_)?(?:${NAMES})(?:_ids?)?$|^(?:assignees|cc|username|retry_prev)$|_ids?$`);

/** Members whose names look like references but are not. */
const NONE: ReadonlySet<string> = new Set([
  // The author of a record, stamped by the engine.
  ...Object.keys(SCHEMAS).map((record) => `${record} username`),
  // The connection of a satellite.
  "servers socket_id",
  // Objects, not ids; their own members are checked separately.
  ...["jobs workflow", "events workflow"],
]);

/** Members of open records, which no schema names. */
const OPEN: ReadonlySet<string> = new Set(["events triggers[].plugin_id", "snapshots servers[]"]);

const unwrap = (schema: z.core.$ZodType): z.core.$ZodType => {
  const { def } = schema._zod as unknown as { def: { innerType?: z.core.$ZodType } };
  return def.innerType ? unwrap(def.innerType) : schema;
};

interface Leaf {
  readonly name: string;
  readonly path: string;
}

/** Members that hold a text or a list of texts, with their paths in the notation of the table. */
function leavesOf(schema: z.core.$ZodType, path: string, name: string): Leaf[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray) return leavesOf(inner.element, `${path}[]`, name);
  if (inner instanceof z.ZodObject)
    return Object.entries(inner.shape).flatMap(([member, value]) =>
      leavesOf(value as z.core.$ZodType, path === "" ? member : `${path}.${member}`, member),
    );
  if (inner instanceof z.ZodUnion) return inner.options.flatMap((option) => leavesOf(option, path, name));
  return inner instanceof z.ZodString ? [{ name, path }] : [];
}

const listed = new Set(REFERENCES.map(({ record, path }) => `${record} ${path}`));

/** Members named like references that the table does not have. */
const missingIn = (record: string, schema: z.ZodObject): string[] =>
  leavesOf(schema, "", "")
    .filter(({ name }) => NAMES_A_RECORD.test(name))
    .map(({ path }) => `${record} ${path}`)
    .filter((key) => !listed.has(key) && !NONE.has(key));

describe("the table of references", () => {
  test("lists every collection, or says that callers do not write it", () => {
    const names = builtins
      .flatMap((plugin) => ("collections" in plugin ? plugin.collections : []))
      .map(({ name }) => name);
    expect(names.filter((name) => !(name in SCHEMAS) && !INTERNAL.has(name))).toEqual([]);
  });

  test.each(Object.entries(SCHEMAS))("has a rule for every reference of %s", (record, schema) => {
    expect(missingIn(record, schema)).toEqual([]);
  });

  test("reports a new reference without a rule", () => {
    const grown = Event.extend({
      backup_event: z.string().optional(),
      run: z.object({ server_ids: z.array(z.string()) }),
    });
    expect(missingIn("events", grown)).toEqual(["events backup_event", "events run.server_ids[]"]);
  });

  test.each(Object.entries(SCHEMAS))("names nothing that is missing from the schema of %s", (record, schema) => {
    const known = new Set(leavesOf(schema, "", "").map(({ path }) => path));
    // Actions, parameters and fields are open: each type has its own members.
    const closed = REFERENCES.filter(({ when, path }) => !when && !path.includes("params."));
    const names = closed.filter((each) => each.record === record).map(({ path }) => path);
    expect(names.filter((path) => !known.has(path) && !OPEN.has(`${record} ${path}`))).toEqual([]);
  });

  test("names each place once", () => {
    const keys = REFERENCES.map(
      ({ record, path, when = [] }) => `${record} ${path} ${when.map(({ is }) => is).join(" ")}`,
    );
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });
});

/** The table treats an id and a list of ids alike. */
const bare = (path: string): string => path.replace(/\[\]$/, "");

/** Members of a graph node that name records but have no rule, as `type path`. */
const missingInNode = (node: z.ZodObject): string[] => {
  const type = String([...(node.shape["type"] as z.ZodLiteral).values][0]);
  const rules = REFERENCES.filter(({ path, when }) => path.startsWith(NODES) && when?.[0]?.is === type);
  const known = new Set(rules.map(({ path }) => bare(path.slice(NODES.length + 1))));
  return leavesOf(node.shape["data"] as z.ZodType, "data", "data")
    .filter(({ name, path }) => NAMES_A_RECORD.test(name) && !known.has(bare(path)))
    .map(({ path }) => `${type} ${path}`);
};
const NODES = "workflow.nodes[]";

describe("the references of nodes of workflows", () => {
  const nodes = nodeSchema().options as readonly z.ZodObject[];

  test("are known for every member of a node that names a record", () => {
    expect(nodes.flatMap(missingInNode)).toEqual([]);
    expect(nodes.length).toBe(7);
  });

  test("report a new reference without a rule", () => {
    const data = z.object({
      event: z.string(),
      backup_event: z.string(),
      run: z.object({ server_ids: z.array(z.string()) }),
    });
    const grown = z.object({ type: z.literal("event"), data });
    expect(missingInNode(grown)).toEqual(["event data.backup_event", "event data.run.server_ids[]"]);
  });

  test("name the members that access checks", () => {
    const graph = REFERENCES.filter(({ rule }) => rule === "graph").map(({ path, when }) => `${when?.[0]?.is} ${path}`);
    expect(graph).toEqual([
      `event ${NODES}.data.event`,
      `event ${NODES}.data.replay`,
      `job ${NODES}.data.category`,
      `job ${NODES}.data.replay`,
    ]);
  });
});

describe("the references of actions", () => {
  test("are known for every type of action", () => {
    const types = builtins.flatMap((plugin) => ("actionTypes" in plugin ? Object.keys(plugin.actionTypes) : []));
    expect(types.filter((type) => !Object.hasOwn(ACTION_REFERENCES, type))).toEqual([]);
    expect(types.length).toBeGreaterThan(8);
  });

  test("are known for every id that the shape of an action has", () => {
    const source = readFileSync(new URL("../../wire/entries/action-shape.ts", import.meta.url), "utf8");
    const members = Array.from(source.matchAll(/check(?:Id|Target)\("(\w+)"/g), ([, member]) => member);
    const known = new Set(Object.values(ACTION_REFERENCES).flatMap((each) => each.map(({ member }) => member)));
    expect(members.filter((member) => !known.has(String(member)))).toEqual([]);
    expect(members).toContain("event_id");
  });
});
