/** Keys that may do everything except reach the foreign side. */
import type { Stage } from "../stage/attack.ts";
import { MARKS } from "./site.ts";

export interface LimitedKey {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Texts that no answer to this key may contain. */
  readonly forbidden: readonly string[];
}

const VERBS = ["create", "edit", "delete"];
const NOUNS = [
  "alerts",
  "buckets",
  "categories",
  "channels",
  "events",
  "groups",
  "monitors",
  "plugins",
  "snapshots",
  "tags",
  "tickets",
  "web_hooks",
];
const OTHERS = [
  "abort_jobs",
  "acknowledge_alerts",
  "add_servers",
  "bulk_export",
  "manage_checks",
  "run_jobs",
  "silence_alerts",
  "tag_jobs",
  "update_servers",
];
/** Privileges left out: with them a key could legitimately delete the targets of the next key. */
const WITHOUT = ["delete_categories", "delete_groups", "delete_plugins", "delete_tickets", "edit_groups"];
/** All other privileges except `admin` and those on roles, whose holders could give themselves more. */
const PRIVILEGES = Object.fromEntries(
  [...OTHERS, ...VERBS.flatMap((verb) => NOUNS.map((noun) => `${verb}_${noun}`))]
    .filter((name) => !WITHOUT.includes(name))
    .map((name) => [name, true]),
);

const LIMITS: readonly (readonly [name: string, limits: object, forbidden: readonly string[]])[] = [
  ["limited to a group", { groups: ["own_group"] }, [MARKS.work, MARKS.server]],
  [
    "limited to a category and a group",
    { categories: ["own_category"], groups: ["own_group"] },
    [MARKS.ticket, MARKS.work, MARKS.server],
  ],
  // Last, because this key may legitimately change servers.
  ["limited to a category", { categories: ["own_category"] }, [MARKS.ticket, MARKS.work]],
];

export async function makeLimitedKeys({ api }: Stage): Promise<LimitedKey[]> {
  const keys: LimitedKey[] = [];
  for (const [name, limits, forbidden] of LIMITS) {
    const made = await api("create_api_key", { title: name, active: true, privileges: PRIVILEGES, ...limits });
    keys.push({ name, forbidden, headers: { "X-API-Key": String(made["plain_key"]) } });
  }
  return keys;
}
