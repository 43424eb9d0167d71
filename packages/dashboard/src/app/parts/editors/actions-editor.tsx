import { type ListName, listed, titleOf } from "../../data/records/lists.ts";
import { list } from "../../texts/format.ts";
import { Entries } from "../entries/index.tsx";
import type { Entry, EntryType, EntryTypes, Member } from "../entries/members.ts";
import { t } from "../entries/texts.ts";

type Key = Parameters<typeof t>[0];

const JOB_CONDITIONS = ["start", "complete", "success", "error", "warning", "critical", "user", "abort"] as const;
const ALERT_CONDITIONS = ["alert_new", "alert_cleared"] as const;

const member = (name: string, kind: Member["kind"], title: Key): Member => ({ name, kind, title: () => t(title) });
const records = (name: ListName) => () =>
  (listed(name) ?? []).map(({ id }) => ({ value: id, title: titleOf(name, id) }));
const one = (name: string, title: Key, kind: ListName): Member => ({
  ...member(name, "one", title),
  choices: records(kind),
});

const actionPlugins = () =>
  (listed("plugins") ?? []).filter(({ type }) => type === "action").map(({ id, title }) => ({ value: id, title }));

const BUCKET: readonly Member[] = [
  one("bucket_id", "bucket", "buckets"),
  {
    ...member("bucket_sync", "one", "bucketSync"),
    choices: () =>
      (["data", "files", "data_and_files"] as const).map((value) => ({ value, title: t(`sync.${value}`) })),
  },
  member("bucket_glob", "text", "bucketGlob"),
];

const MAIL: readonly Member[] = [
  member("email", "text", "email"),
  member("users", "texts", "users"),
  member("body", "area", "mailBody"),
];

const TYPES: Readonly<
  Record<string, { readonly title: Key; readonly members: readonly Member[]; readonly start?: EntryType["start"] }>
> = {
  email: { title: "act.email", members: MAIL },
  web_hook: {
    title: "act.web_hook",
    members: [one("web_hook", "webHook", "web_hooks"), member("text", "area", "text")],
  },
  channel: { title: "act.channel", members: [one("channel_id", "channel", "channels")] },
  run_event: {
    title: "act.run_event",
    members: [
      one("event_id", "event", "events"),
      member("start_delay", "number", "delaySeconds"),
      member("params", "object", "params"),
    ],
  },
  ticket: {
    title: "act.ticket",
    members: [
      member("ticket_type", "text", "ticketType"),
      member("ticket_assignees", "texts", "assignees"),
      { ...member("ticket_tags", "many", "tags"), choices: records("tags") },
      member("ticket_due", "text", "due"),
      {
        ...member("reuse", "one", "reuse"),
        choices: () => (["open", "new"] as const).map((value) => ({ value, title: t(`reuse.${value}`) })),
      },
      member("close_on_clear", "check", "closeOnClear"),
    ],
    start: () => ({ ticket_type: "issue", ticket_assignees: [], ticket_tags: [] }),
  },
  store: { title: "act.store", members: BUCKET, start: () => ({ bucket_sync: "data_and_files" }) },
  fetch: { title: "act.fetch", members: BUCKET, start: () => ({ bucket_sync: "data_and_files" }) },
  tag: {
    title: "act.tag",
    members: [{ ...member("tags", "many", "tags"), choices: records("tags") }],
    start: () => ({ tags: [] }),
  },
  label: { title: "act.label", members: [member("label", "text", "label")] },
  snapshot: { title: "act.snapshot", members: [] },
  plugin: {
    title: "act.plugin",
    members: [
      { ...member("plugin_id", "one", "plugin"), choices: actionPlugins },
      member("params", "object", "params"),
    ],
  },
  suspend: { title: "act.suspend", members: MAIL },
  disable: { title: "act.disable", members: [] },
  delete: { title: "act.delete", members: [] },
};

/** What an action names, in words: records, addresses, a label. */
const NAMES: Readonly<Record<string, (action: Entry) => string>> = {
  email: ({ email, users }) => list([email, ...(Array.isArray(users) ? users : [])].filter(Boolean).map(String)),
  web_hook: ({ web_hook }) => titleOf("web_hooks", String(web_hook ?? "")),
  channel: ({ channel_id }) => titleOf("channels", String(channel_id ?? "")),
  run_event: ({ event_id }) => titleOf("events", String(event_id ?? "")),
  plugin: ({ plugin_id }) => titleOf("plugins", String(plugin_id ?? "")),
  tag: ({ tags }) => list((Array.isArray(tags) ? tags : []).map((tag) => titleOf("tags", String(tag)))),
  label: ({ label }) => String(label ?? ""),
};

const CONDITIONS: ReadonlySet<string> = new Set([...JOB_CONDITIONS, ...ALERT_CONDITIONS]);
const conditionWords = (condition: string): string =>
  CONDITIONS.has(condition)
    ? t(`on.${condition as "start"}`)
    : t("onTag", { tag: titleOf("tags", condition.replace(/^tag:/, "")) });

/** What an action does, and to what. */
export function deedWords(action: Entry): string {
  const what = Object.hasOwn(TYPES, action.type) ? t(TYPES[action.type]?.title ?? "act.email") : action.type;
  const name = Object.hasOwn(NAMES, action.type) ? NAMES[action.type]?.(action) : "";
  return name ? t("says.named", { what, name }) : what;
}

/** An action in words: when it runs, what it does, and to what. */
export const actionWords = (action: Entry): string =>
  t("says.action", { when: conditionWords(String(action["condition"] ?? "")), what: deedWords(action) });

/** For alerts: whether all servers of a problem share a message or ticket. */
const per = (of: "per" | "perTicket"): Member => ({
  ...member("per", "one", "per"),
  choices: () => (["problem", "subject"] as const).map((value) => ({ value, title: t(`${of}.${value}`) })),
});
const PER: Readonly<Record<string, Member>> = {
  email: per("per"),
  web_hook: per("per"),
  channel: per("per"),
  ticket: per("perTicket"),
};

/** The types of actions, with the conditions of their owner. */
function typesFor(conditions: readonly string[]): EntryTypes {
  const isAlert = conditions.includes("alert_new");
  const condition: Member = {
    ...member("condition", "one", "condition"),
    choices: () => conditions.map((value) => ({ value, title: conditionWords(value) })),
  };
  return Object.fromEntries(
    Object.entries(TYPES).map(([type, { title, members, start }]) => [
      type,
      {
        title: () => t(title),
        members: [condition, ...members, ...(isAlert && PER[type] ? [PER[type]] : [])],
        start: () => ({ condition: conditions.includes("error") ? "error" : conditions[0], ...start?.() }),
      },
    ]),
  );
}

const OF_JOBS = typesFor(JOB_CONDITIONS);
/** Types of actions whose condition is chosen elsewhere. */
export const ACTION_TYPES: EntryTypes = Object.fromEntries(
  Object.entries(OF_JOBS).map(([type, { members, ...rest }]) => [type, { ...rest, members: members.slice(1) }]),
);
const OF_ALERTS = typesFor(ALERT_CONDITIONS);

interface ActionsEditorProps {
  readonly actions: readonly Entry[];
  readonly onInput: (actions: readonly Entry[]) => void;
  /** Offers the conditions of alerts instead of those of jobs. */
  readonly isAlert?: boolean;
}

/** Edits the actions of an event, a category, the configuration or an alert. */
export const ActionsEditor = ({ actions, onInput, isAlert = false }: ActionsEditorProps) => (
  <Entries
    kind="action"
    entries={actions}
    onInput={onInput}
    types={isAlert ? OF_ALERTS : OF_JOBS}
    words={actionWords}
    addLabel={t("addAction")}
    none={t("noActions")}
  />
);
