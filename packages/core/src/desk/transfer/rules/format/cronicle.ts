import { isObject, membersOf } from "../../../../lib/json/is-object.ts";
import { type Line, parseLine } from "./lines.ts";

type Members = Readonly<Record<string, unknown>>;

/** Lines of a Cronicle backup have the form `key - {…}`. */
const LINE = /^([\w./-]{1,200}) - (\{.*)$/;
/** Lists that have a counterpart here, with the conversion of their entries. */
const LISTS: Readonly<Record<string, { readonly name: string; readonly convert: (entry: Members) => Members }>> = {
  categories: { name: "categories", convert: categoryOf },
  server_groups: { name: "groups", convert: groupOf },
  schedule: { name: "events", convert: eventOf },
};

/**
 * Converts one line of a Cronicle backup into a line of our format: accounts, categories, groups and events
 * (docs/contract/transfer.md#cronicle). Everything else keeps its key and is skipped as unknown; lists are extended, never
 * emptied.
 */
export function cronicleLine(text: string): Line {
  const [, key = "", json = ""] = LINE.exec(text) ?? [];
  if (key === "") return text.startsWith("#") || text.trim() === "" ? { kind: "nothing" } : unreadable;
  const parsed = parseLine(`{"key":${JSON.stringify(key)},"value":${json}}`);
  return parsed.kind === "record" ? converted(key, parsed.value) : parsed;
}

function converted(key: string, value: unknown): Line {
  const [top, list = "", page] = key.split("/");
  if (top === "users" && page === undefined) return { kind: "record", key, value: accountOf(value) };
  const known = top === "global" && Object.hasOwn(LISTS, list) ? LISTS[list] : undefined;
  // The same names mean other things there: hashes of other keys, programs in another form.
  if (!known || page === undefined) return { kind: "record", key: `cronicle/${key}`, value: undefined };
  const items = entriesIn(value)?.map(known.convert);
  return { kind: "record", key: `global/${known.name}/${page}`, value: { type: "list_page", items } };
}

function entriesIn(page: unknown): Members[] | undefined {
  const { items } = membersOf(page);
  return Array.isArray(items) ? items.filter(isObject) : undefined;
}

const unreadable: Line = { kind: "fault", reason: "Not a line of a Cronicle backup" };

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const whole = (value: unknown): number => (Number.isFinite(value) ? Math.max(0, Math.floor(Number(value))) : 0);
const idOf = (value: unknown): string => text(value).toLowerCase();

const stampsOf = ({ username, created, modified }: Members) => ({
  username: text(username) || "admin",
  created: whole(created),
  modified: whole(modified),
  revision: 1,
});

/** Cronicle hashes passwords with a salt per account; the hashes are kept unchanged. */
function accountOf(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { full_name: name, privileges } = value;
  return { ...value, full_name: text(name), privileges: membersOf(privileges) };
}

function categoryOf(entry: Members): Members {
  const { id, title, enabled, description } = entry;
  return { id: idOf(id), title: text(title), enabled: Boolean(enabled), notes: text(description), ...stampsOf(entry) };
}

function groupOf(entry: Members): Members {
  const { id, title, regexp } = entry;
  return { id: idOf(id), title: text(title), hostname_match: text(regexp), alert_actions: [], ...stampsOf(entry) };
}

/** Disabled until a person has checked the event, because the name of its plugin here is not certain. */
function eventOf(entry: Members): Members {
  const { id, title, category, plugin, target, params, notes, algo } = entry;
  return {
    id: idOf(id),
    title: text(title),
    enabled: false,
    category: idOf(category) || "general",
    plugin: idOf(plugin),
    params: membersOf(params),
    fields: [],
    actions: [],
    notes: text(notes),
    algo: text(algo) || "random",
    targets: text(target) === "" ? [] : [text(target)],
    triggers: triggersOf(entry),
    limits: limitsOf(entry),
    ...stampsOf(entry),
  };
}

const UNITS = ["years", "months", "days", "weekdays", "hours", "minutes"] as const;

function triggersOf({ timing, timezone, catch_up: catchUp }: Members): Members[] {
  const manual = { type: "manual", enabled: true };
  // Without a timing, an event runs only manually; an empty timing means every minute.
  if (!isObject(timing)) return [manual];
  const units = UNITS.flatMap((unit) => {
    const numbers = timing[unit];
    return Array.isArray(numbers) ? [[unit, numbers.filter(Number.isInteger)] as const] : [];
  });
  const zone = text(timezone) === "" ? {} : { timezone: text(timezone) };
  const schedule = { type: "schedule", enabled: true, ...Object.fromEntries(units), ...zone };
  return [manual, schedule, ...(catchUp ? [{ type: "catchup", enabled: true }] : [])];
}

function limitsOf({ timeout, max_children: most, retries, retry_delay: delay, queue, queue_max: longest }: Members) {
  const limits: Members[] = [];
  if (whole(timeout) > 0) limits.push({ type: "time", enabled: true, duration: whole(timeout), abort: true });
  if (whole(most) > 0) limits.push({ type: "job", enabled: true, amount: whole(most) });
  if (queue) limits.push({ type: "queue", enabled: true, amount: whole(longest) });
  if (whole(retries) > 0) limits.push({ type: "retry", enabled: true, amount: whole(retries), duration: whole(delay) });
  return limits;
}
