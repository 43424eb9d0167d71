import type { Actor } from "../../../../kernel/calls/context.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { SignalboxError } from "../../../../kernel/errors/errors.ts";
import { userRecords } from "../../../users/records.ts";
import { userKey } from "../../../users/rules/account.ts";
import { accountStub } from "../accounts.ts";
import { createActors } from "../actors.ts";

/**
 * Lists and facts that pages need right after a login (docs/contract/credentials.md#login), limited to what the account may see.
 */
export interface LoginBundle {
  collect(username: string): Promise<Readonly<Record<string, unknown>>>;
  /** The lists of the bundle that the caller may see, all of them or only the named ones. */
  lists(actor: Actor, members?: readonly string[]): Promise<Record<string, unknown>>;
}

/** Member → the list operation that fills it. Lists of domains that are not installed are left out. */
const LISTS: readonly (readonly [string, string])[] = [
  ["groups", "get_groups"],
  ["monitors", "get_monitors"],
  ["alerts", "get_alerts"],
  ["categories", "get_categories"],
  ["channels", "get_channels"],
  ["web_hooks", "get_web_hooks"],
  ["buckets", "get_buckets"],
  ["secrets", "get_secrets"],
  ["events", "get_events"],
  ["plugins", "get_plugins"],
  ["tags", "get_tags"],
  ["roles", "get_roles"],
];

/** The same for lists that are sent when they change, but are part of no login: clients of the contract do not know them. */
const NEWS: readonly (readonly [string, string])[] = [
  ["heartbeats", "get_heartbeats"],
  ["checks", "get_checks"],
  ["receivers", "get_receivers"],
  ["routes", "get_routes"],
  ["rotas", "get_rotas"],
];

/** The same, with each list shown as an object by id. */
const MAPS: readonly (readonly [string, string])[] = [
  ["activeJobs", "get_active_jobs"],
  ["servers", "get_active_servers"],
];

interface Row {
  readonly id: string;
}
type Show = (rows: readonly Row[]) => unknown;

const asMap: Show = (rows) => Object.fromEntries(rows.map((row) => [row.id, row]));
const withoutKeys: Show = (rows) => rows.map((key) => ({ ...key, key: "REDACTED" }));

/** Member, operation, and the function that shows its rows. */
const MEMBERS: readonly (readonly [string, string, Show])[] = [
  ...[...LISTS, ...NEWS].map(([member, operation]) => [member, operation, (rows: readonly Row[]) => rows] as const),
  ...MAPS.map(([member, operation]) => [member, operation, asMap] as const),
  ["api_keys", "get_api_keys", withoutKeys],
];

const AT_LOGIN = ["users", ...[...LISTS, ...MAPS].map(([member]) => member), "api_keys"];

type Deps = Pick<Cradle, "clock" | "definitions" | "execute" | "handlers" | "registry">;

export function createLoginBundle({ execute, registry, definitions, clock, handlers }: Deps): LoginBundle {
  const actors = createActors(definitions);

  async function rowsFor(operation: string, actor: Actor): Promise<readonly Row[] | undefined> {
    if (!registry.operations.has(operation)) return undefined;
    try {
      const { rows } = (await execute({ operation, actor })) as { rows: readonly Row[] };
      return rows;
    } catch (error) {
      // A list that the account may not see appears empty.
      if (error instanceof SignalboxError && error.code === "access") return [];
      throw error;
    }
  }

  async function lists(actor: Actor, only?: readonly string[]): Promise<Record<string, unknown>> {
    const isAsked = (member: string): boolean => only === undefined || only.includes(member);
    const into: Record<string, unknown> = {};
    if (isAsked("users")) into["users"] = definitions.all(userRecords).map(accountStub);
    for (const [member, operation, show] of MEMBERS) {
      if (!isAsked(member)) continue;
      const rows = await rowsFor(operation, actor);
      if (rows) into[member] = show(rows);
    }
    return into;
  }

  return {
    lists,
    async collect(username) {
      const user = definitions.get(userRecords, userKey(username));
      if (!user) return {};
      const actor = actors.ofUser(user);
      const shown = { ...(await lists(actor, AT_LOGIN)), ...(await handlers.atLogin(actor)) };
      return { epoch: Math.floor(clock.now()), ...shown };
    },
  };
}
