import { TARGETS_OVERRIDE } from "../../../wire/entries/override.ts";
import { ACTION_REFERENCES, type Kind } from "./actions.ts";

/**
 * How a reference is kept within the limits of its writer:
 * - `added`: references that a write adds or changes must be within the writer's reach; stored ones may stay. Checked by
 *   the service of this domain.
 * - `operation`: the member decides who may touch the record, so its operations check it on reads and writes alike.
 * - `unlimited`: only callers without limits on groups write the record.
 * - `administrator`: only administrators write it, or nobody may give a right that they lack (roles).
 * - `free`: the named record belongs to no category and no group.
 * - `engine`: no caller writes it.
 * - `graph`: checked by the domain of graphs in all graph nodes of a workflow, and of the workflows that it runs, whenever
 *   one is written or launched.
 */
export type Rule = "added" | "operation" | "unlimited" | "administrator" | "free" | "engine" | "graph";

/** A member of an entry, by its path, and the value that it must have. */
interface Where {
  readonly member: string;
  readonly is: string;
}

/** A member of a stored record that names another record. */
export interface ReferenceRule {
  /** Name of the collection. */
  readonly record: string;
  /** "targets[]", "events[].id": `[]` stands for each entry of a list. */
  readonly path: string;
  readonly kind: Kind;
  readonly rule: Rule;
  /** The rule applies only to entries of the (outer) list that meet all of these conditions. */
  readonly when?: readonly Where[];
}

/** Kinds that have a category or groups, or lead to something that has. */
const LIMITED: ReadonlySet<Kind> = new Set(["category", "channel", "event", "group", "server", "target", "ticket"]);

const rulesFor =
  (record: string, rule: Rule) =>
  (members: Readonly<Record<string, Kind>>): ReferenceRule[] =>
    Object.entries(members).map(([path, kind]) => ({ record, path, kind, rule }));

/** The references of a list of actions. */
const actionsIn = (record: string, list: string): ReferenceRule[] =>
  Object.entries(ACTION_REFERENCES).flatMap(([type, references]) =>
    references.map(({ member, kind }) => ({
      record,
      path: `${list}[].${member}`,
      kind,
      rule: LIMITED.has(kind) ? ("added" as const) : ("free" as const),
      when: [{ member: "type", is: type }],
    })),
  );

const NODES = "workflow.nodes[]";

/** Members of the data of graph nodes of one type, each with its rule. */
const nodesOf = (type: string, members: Readonly<Record<string, readonly [Kind, Rule]>>): ReferenceRule[] =>
  Object.entries(members).map(([member, [kind, rule]]) => ({
    record: "events",
    path: `${NODES}.data.${member}`,
    kind,
    rule,
    when: [{ member: "type", is: type }],
  }));

/** Members of graph nodes that run jobs. */
const running = {
  "targets[]": ["target", "added"],
  [`params.${TARGETS_OVERRIDE}`]: ["target", "added"],
  "tags[]": ["tag", "free"],
  replay: ["job", "graph"],
} as const;

/** The graph nodes of workflows. Action nodes name the same records as actions. */
const nodes: readonly ReferenceRule[] = [
  ...nodesOf("event", { event: ["event", "graph"], ...running }),
  ...nodesOf("job", { plugin: ["plugin", "free"], category: ["category", "graph"], ...running }),
  ...actionsIn("events", NODES.slice(0, -2)).map(({ path, when = [], ...rule }) => ({
    ...rule,
    path: path.replace(NODES, `${NODES}.data`),
    when: [{ member: "type", is: "action" }, ...when.map(({ is }) => ({ member: "data.type", is }))],
  })),
  ...nodesOf("limit", { "users[]": ["user", "free"], web_hook: ["web_hook", "free"], "tags[]": ["tag", "free"] }),
];

const events: readonly ReferenceRule[] = [
  ...rulesFor("events", "operation")({ category: "category" }),
  ...rulesFor(
    "events",
    "added",
  )({
    "targets[]": "target",
    [`params.${TARGETS_OVERRIDE}`]: "target",
    [`triggers[].params.${TARGETS_OVERRIDE}`]: "target",
  }),
  {
    record: "events",
    path: "fields[].value",
    kind: "target",
    rule: "added",
    when: [{ member: "id", is: TARGETS_OVERRIDE }],
  },
  ...rulesFor("events", "free")({ plugin: "plugin", "tags[]": "tag", "triggers[].plugin_id": "plugin" }),
  ...actionsIn("events", "actions"),
  ...nodes,
];

const tickets: readonly ReferenceRule[] = [
  ...rulesFor("tickets", "operation")({ category: "category" }),
  ...rulesFor(
    "tickets",
    "added",
  )({
    server: "server",
    "events[].id": "event",
    "events[].targets[]": "target",
    [`events[].params.${TARGETS_OVERRIDE}`]: "target",
  }),
  ...rulesFor(
    "tickets",
    "free",
  )({ "assignees[]": "user", "cc[]": "user", "tags[]": "tag", "events[].tags[]": "tag", username: "user" }),
  ...rulesFor(
    "tickets",
    "engine",
  )({ "files[].ticket": "ticket", "files[].username": "user", "changes[].username": "user" }),
];

const alerting: readonly ReferenceRule[] = [
  ...rulesFor("alerts", "unlimited")({ "groups[]": "group" }),
  ...rulesFor("alerts", "operation")({ "categories[]": "category" }),
  ...rulesFor("alerts", "free")({ monitor_id: "monitor", "tags[]": "tag", "subject_tags[]": "tag" }),
  ...actionsIn("alerts", "actions"),
  ...rulesFor("alert_invocations", "added")({ "tickets[]": "ticket" }),
  ...rulesFor(
    "alert_invocations",
    "engine",
  )({
    alert: "alert",
    server: "server",
    category: "category",
    "groups[]": "group",
    "jobs[]": "job",
    "acknowledged.username": "user",
    "owed.invocation": "invocation",
    "owed.active_jobs[].event": "event",
  }),
  ...rulesFor("silences", "operation")({ "servers[]": "server", "groups[]": "group", "events[]": "event" }),
  ...rulesFor("checks", "operation")({ category: "category" }),
  ...rulesFor("checks", "added")({ server: "server", "from[]": "target" }),
  ...rulesFor("checks", "free")({ "tags[]": "tag" }),
  ...rulesFor("heartbeats", "operation")({ category: "category" }),
  ...rulesFor("heartbeats", "added")({ server: "server" }),
  ...rulesFor("heartbeats", "free")({ "tags[]": "tag" }),
  ...rulesFor("silences", "free")({ "alerts[]": "alert", "tags[]": "tag" }),
  ...rulesFor("receivers", "added")({ channel: "channel" }),
  ...rulesFor("receivers", "free")({ web_hook: "web_hook", "users[]": "user" }),
  ...rulesFor(
    "routes",
    "unlimited",
  )({ "match.servers[]": "server", "match.groups[]": "group", "match.categories[]": "category" }),
  ...rulesFor("routes", "free")({ "match.alerts[]": "alert", "match.tags[]": "tag" }),
  ...rulesFor("rotas", "free")({ "layers[].users[]": "user", "overrides[].user": "user" }),
  ...rulesFor(
    "notices",
    "engine",
  )({
    "alerts[]": "alert",
    "acknowledged.invocations[]": "invocation",
    "groups[]": "group",
    "categories[]": "category",
  }),
  ...rulesFor("notice_decisions", "engine")({ invocation: "invocation" }),
  ...rulesFor(
    "problems",
    "engine",
  )({ "members[].invocation": "invocation", "members[].alert": "alert", "members[].server": "server" }),
];

const jobs: readonly ReferenceRule[] = [
  // A launch may name targets beyond the caller's reach; its job is placed only within it.
  ...rulesFor(
    "jobs",
    "operation",
  )({ category: "category", "targets[]": "target", event: "event", plugin: "plugin", "tags[]": "tag" }),
  ...rulesFor("jobs", "added")({ "tickets[]": "ticket" }),
  ...rulesFor(
    "jobs",
    "engine",
  )({
    server: "server",
    "groups[]": "group",
    retry_prev: "job",
    "jobs[].id": "job",
    "activity[].server": "server",
    username: "user",
  }),
];

const rights: readonly ReferenceRule[] = [
  ...["roles", "users", "api_keys"].flatMap((record) =>
    rulesFor(record, "administrator")({ "categories[]": "category", "groups[]": "group" }),
  ),
  ...["users", "api_keys"].flatMap((record) => rulesFor(record, "administrator")({ "roles[]": "role" })),
];

/** Every member of a stored record that names another record. A test walks the schemas for members that are missing here. */
export const REFERENCES: readonly ReferenceRule[] = [
  ...events,
  ...tickets,
  ...alerting,
  ...jobs,
  ...rights,
  ...actionsIn("categories", "actions"),
  ...actionsIn("groups", "alert_actions"),
  ...rulesFor("channels", "added")({ run_event: "event" }),
  ...rulesFor("channels", "free")({ web_hook: "web_hook", "users[]": "user" }),
  ...rulesFor(
    "bucket_files",
    "engine",
  )({ "files[].username": "user", "files[].job": "job", "files[].server": "server" }),
  ...rulesFor("monitors", "unlimited")({ "groups[]": "group" }),
  // Used only by monitor plugins.
  ...rulesFor("plugins", "unlimited")({ "groups[]": "group" }),
  ...rulesFor(
    "secrets",
    "administrator",
  )({
    "events[]": "event",
    "categories[]": "category",
    "plugins[]": "plugin",
    "web_hooks[]": "web_hook",
    "checks[]": "check",
  }),
  ...rulesFor("servers", "operation")({ "groups[]": "group" }),
  ...rulesFor("web_hook_deliveries", "engine")({ web_hook: "web_hook" }),
  ...rulesFor("hosts", "engine")({ server: "server", "groups[]": "group" }),
  ...rulesFor(
    "snapshots",
    "engine",
  )({
    server: "server",
    "groups[]": "group",
    "alerts[]": "alert",
    "jobs[]": "job",
    "servers[]": "server",
    username: "user",
  }),
];
