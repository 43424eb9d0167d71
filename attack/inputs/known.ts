/** Valid values by the name of a member: without them a generated call never passes the first check. */
import type { Random } from "./random.ts";

/** Ids of existing records, by kind. */
export type Ids = Readonly<Record<string, readonly string[]>>;
type Maker = (random: Random, ids: Ids) => unknown;

const CONDITIONS = [
  "start",
  "complete",
  "success",
  "error",
  "warning",
  "critical",
  "abort",
  "alert_new",
  "alert_cleared",
];

const oneOf =
  (...values: readonly unknown[]): Maker =>
  (random) =>
    random.pick(values);
const idOf =
  (kind: string): Maker =>
  (random, ids) =>
    random.pick(ids[kind] ?? ["nobody"]);
const listOf =
  (make: Maker, most: number): Maker =>
  (random, ids) =>
    Array.from({ length: random.below(most + 1) }, () => make(random, ids));
const shape =
  (members: Readonly<Record<string, Maker>>): Maker =>
  (random, ids) =>
    Object.fromEntries(Object.entries(members).map(([name, make]) => [name, make(random, ids)]));
const anyOf =
  (...makers: readonly Maker[]): Maker =>
  (random, ids) =>
    random.pick(makers)(random, ids);

const EPOCH = 1_795_000_000;
const numbers = (low: number, high: number): Maker => listOf((random) => low + random.below(high - low + 1), 4);

const trigger = anyOf(
  shape({ type: oneOf("manual", "startup", "catchup"), enabled: oneOf(true, false) }),
  shape({
    type: oneOf("schedule"),
    enabled: oneOf(false),
    years: numbers(2026, 2200),
    months: numbers(1, 12),
    days: numbers(-7, 31),
    hours: numbers(0, 23),
    minutes: numbers(0, 59),
    timezone: oneOf("UTC", "Europe/Berlin", "Mars/Base"),
  }),
  shape({
    type: oneOf("interval"),
    enabled: oneOf(false),
    start: oneOf(EPOCH, 1, 1e15),
    duration: oneOf(60, 1e-9, 3600),
  }),
  shape({ type: oneOf("single"), enabled: oneOf(true), epoch: oneOf(EPOCH, 4e9, -1) }),
  shape({ type: oneOf("nth"), enabled: oneOf(true), every: oneOf(2, 1e9, 0) }),
  shape({
    type: oneOf("range", "blackout"),
    enabled: oneOf(true),
    start: oneOf(EPOCH, 0),
    end: oneOf(EPOCH + 9e6, 1e15),
  }),
  shape({ type: oneOf("precision"), enabled: oneOf(true), seconds: numbers(0, 59) }),
  shape({ type: oneOf("delay"), enabled: oneOf(true), duration: oneOf(1, 1e12) }),
);
const limit = shape({
  type: oneOf("job", "queue", "retry", "file", "day", "tag", "time", "log", "mem", "cpu"),
  enabled: oneOf(true, false, 1),
  amount: oneOf(1, 0, 100, 1e12, "5"),
  duration: oneOf(5, 0, 1e9),
  condition: oneOf(...CONDITIONS),
});
const action = shape({
  enabled: oneOf(true, false),
  condition: oneOf(...CONDITIONS),
  type: oneOf("email", "web_hook", "run_event", "channel", "ticket", "snapshot", "tag", "label", "disable"),
  users: listOf(idOf("user"), 2),
  email: oneOf("", "somebody@example.invalid"),
  web_hook: idOf("web_hook"),
  event_id: idOf("event"),
  channel_id: idOf("channel"),
  ticket_type: oneOf("issue", "other"),
  ticket_assignees: listOf(idOf("user"), 2),
  ticket_tags: listOf(idOf("tag"), 2),
  tags: listOf(idOf("tag"), 2),
  label: oneOf("done", "{{ id }}"),
});
const field = shape({
  id: oneOf("a", "b", "__proto__", "script"),
  title: oneOf("A field"),
  type: oneOf("text", "textarea", "json", "checkbox", "select", "hidden"),
  value: oneOf("", "x", 5, null),
  regex: oneOf(".", "(a+)+$", "["),
  range: oneOf("1-5/1", "5-1/any"),
});
const EXPRESSIONS = oneOf(
  "1 + 1",
  "monitors.load_avg > 5",
  "monitors['__proto__']",
  "this.constructor.constructor('x')()",
  `${"(".repeat(80)}1${")".repeat(80)}`,
  `[${"1,".repeat(3000)}1][.x > 1]`,
  `"${"a".repeat(5000)}" ~= "(a+)+$"`,
  "data|values|map('x')",
  "1 +",
);
const QUERIES = oneOf(
  "*",
  "status:open",
  "created:>1 modified:<2026-01-01",
  "(status:open | status:closed) -tags:x",
  Array.from({ length: 400 }, (_, n) => `word${n}`).join(" | "),
  `${"(".repeat(100)}a${")".repeat(100)}`,
  `"${"phrase of words ".repeat(100)}"`,
  "subject:(((",
);

const KNOWN: Readonly<Record<string, Maker>> = {
  triggers: listOf(trigger, 5),
  limits: listOf(limit, 4),
  actions: listOf(action, 4),
  alert_actions: listOf(action, 3),
  fields: listOf(field, 4),
  params: oneOf({}, { script: "true", annotate: false }, { method: "GET", url: "http://127.0.0.1:9/" }),
  targets: listOf(anyOf(idOf("server"), idOf("group"), oneOf("local", "nowhere")), 3),
  tags: listOf(idOf("tag"), 3),
  expression: EXPRESSIONS,
  hostname_match: oneOf(".+", "(a+)+$", "^$"),
  match: EXPRESSIONS,
  query: QUERIES,
  algo: oneOf("random", "round_robin", "monitor:load_avg"),
  url: oneOf("http://127.0.0.1:9/", "http://127.0.0.1:9/{{ text }}"),
  category: idOf("category"),
  categories: listOf(idOf("category"), 2),
  group: idOf("group"),
  groups: listOf(idOf("group"), 2),
  server: idOf("server"),
  event: idOf("event"),
  plugin: idOf("plugin"),
  web_hook: idOf("web_hook"),
  monitor: idOf("monitor"),
  alert: idOf("alert"),
  job: idOf("job"),
  ticket: idOf("ticket"),
  users: listOf(idOf("user"), 2),
  username: idOf("user"),
  roles: listOf(idOf("role"), 2),
  template: oneOf("job", "alert", "x"),
  sort_by: oneOf("modified", "created", "title", "id", "nothing"),
  // Operations that wait on purpose would only prolong the run.
  sleep: oneOf(0, 1, "1", -5, 50),
  enabled: oneOf(true, false, 1, 0),
  privileges: oneOf({}, { run_jobs: true }, { admin: 1 }, { nonsense: true }),
  format: oneOf("csv", "tsv", "json", "ndjson", "xml"),
  // Never a generated text: it would be run as a program.
  command: oneOf("true", "/bin/true", ""),
  script: oneOf("true", "#!/bin/sh\ntrue\n"),
  uid: oneOf("nobody", "", 65_534),
  gid: oneOf("", 65_534),
};

/** A valid value for a member; undefined when nothing is known about the name. */
export function knownValue(name: string, noun: string, random: Random, ids: Ids): { value: unknown } | undefined {
  const maker = name === "id" && ids[noun] ? idOf(noun) : name === "ids" ? listOf(idOf(noun), 3) : KNOWN[name];
  return maker && { value: maker(random, ids) };
}
