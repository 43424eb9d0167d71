/** Records that attacks target, and the keys of the attackers. */
import type { Ids } from "../inputs/known.ts";
import type { Callers } from "./attack.ts";

type Api = (operation: string, input?: object) => Promise<Readonly<Record<string, unknown>>>;

/** Plain records with fixed ids, by which attacks find them. */
const RECORDS: readonly (readonly [kind: string, input: object])[] = [
  ["category", { id: "atk_category", title: "Attacked", enabled: true }],
  ["tag", { id: "atk_tag", title: "Attacked" }],
  ["group", { id: "atk_group", title: "Attacked", hostname_match: "^atk" }],
  ["role", { id: "atk_role", title: "Attacked", enabled: true, privileges: {}, categories: [], groups: [] }],
  ["web_hook", { id: "atk_hook", title: "Attacked", enabled: false, url: "http://127.0.0.1:9/", method: "POST" }],
  ["channel", { id: "atk_channel", title: "Attacked", enabled: true, users: [] }],
  ["secret", { id: "atk_secret", title: "Attacked", enabled: true, fields: [{ name: "WORD", value: "sealed" }] }],
  [
    "monitor",
    {
      id: "atk_monitor",
      title: "Attacked",
      display: true,
      source: "load[0]",
      data_type: "float",
      groups: [],
      enabled: true,
    },
  ],
  ["alert", { id: "atk_alert", title: "Attacked", enabled: true, expression: "1 == 2", message: "Never", groups: [] }],
  ["plugin", { id: "atk_plugin", title: "Attacked", enabled: true, type: "event", command: "/bin/true", params: [] }],
  [
    "event",
    {
      id: "atk_event",
      title: "Attacked",
      enabled: true,
      category: "atk_category",
      plugin: "atk_plugin",
      params: {},
      targets: ["local"],
      algo: "random",
      triggers: [{ type: "manual", enabled: true }],
      limits: [{ type: "job", enabled: true, amount: 2 }],
      actions: [],
    },
  ],
];

export async function makeFixtures(api: Api): Promise<{ ids: Ids; callers: Callers }> {
  for (const [kind, input] of RECORDS) await api(`create_${kind}`, input);
  const weak = await api("create_api_key", { title: "Weak", active: true, privileges: {} });
  const admin = await api("create_api_key", {
    title: "Attacking administrator",
    active: true,
    privileges: { admin: true },
  });
  const { ticket } = await api("create_ticket", { subject: "Attacked", body: "A body", type: "issue", status: "open" });
  const { id: job } = await api("run_event", { id: "atk_event" });
  const ids = Object.fromEntries(
    RECORDS.map(([kind, { id }]: readonly [string, { id?: string }]) => [kind, [id ?? ""]]),
  );
  return {
    ids: { ...ids, user: ["admin", "atk_user"], server: ["local"], job: [String(job)], ticket: [idOf(ticket)] },
    callers: { stranger: {}, weak: keyOf(weak), admin: keyOf(admin) },
  };
}

const idOf = (record: unknown): string => String((record as { id?: unknown } | undefined)?.id);

const keyOf = ({ plain_key: key }: Readonly<Record<string, unknown>>): Record<string, string> => ({
  "X-API-Key": String(key),
});
