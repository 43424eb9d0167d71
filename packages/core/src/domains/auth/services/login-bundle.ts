import type { Actor } from "../../../kernel/context.ts";
import type { Definitions } from "../../../kernel/definitions.ts";
import { SignalboxError } from "../../../kernel/errors.ts";
import type { Execute } from "../../../kernel/pipeline.ts";
import type { Registry } from "../../../kernel/registry.ts";
import type { Clock } from "../../../ports/clock.ts";
import { userCollection } from "../../users/collection.ts";
import { userKey } from "../../users/rules/account.ts";
import { accountStub } from "./accounts.ts";
import { createActors } from "./actors.ts";

/** What pages want to know right after a login (part 11 §4.5), as far as the account may see it. */
export interface LoginBundle {
  collect(username: string): Promise<Readonly<Record<string, unknown>>>;
}

/** Member → the list operation that fills it. Lists of domains that are not there are left out. */
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

/** Likewise, as an object by id. */
const MAPS: readonly (readonly [string, string])[] = [
  ["activeJobs", "get_active_jobs"],
  ["servers", "get_active_servers"],
];

interface Row {
  readonly id: string;
}

interface Deps {
  readonly execute: Execute;
  readonly registry: Registry;
  readonly definitions: Definitions;
  readonly clock: Clock;
}

export function createLoginBundle({ execute, registry, definitions, clock }: Deps): LoginBundle {
  const actors = createActors(definitions);

  async function rowsFor(operation: string, actor: Actor): Promise<readonly Row[] | undefined> {
    if (!registry.operations.has(operation)) return undefined;
    try {
      const { rows } = (await execute({ operation, actor })) as { rows: readonly Row[] };
      return rows;
    } catch (error) {
      // What the account may not list is empty for it.
      if (error instanceof SignalboxError && error.code === "access") return [];
      throw error;
    }
  }

  async function fill(into: Record<string, unknown>, actor: Actor): Promise<void> {
    for (const [member, operation] of LISTS) {
      const rows = await rowsFor(operation, actor);
      if (rows) into[member] = rows;
    }
    for (const [member, operation] of MAPS) {
      const rows = await rowsFor(operation, actor);
      if (rows) into[member] = Object.fromEntries(rows.map((row) => [row.id, row]));
    }
    const keys = (await rowsFor("get_api_keys", actor)) ?? [];
    into["api_keys"] = keys.map((key) => ({ ...key, key: "REDACTED" }));
  }

  return {
    async collect(username) {
      const user = definitions.get(userCollection, userKey(username));
      if (!user) return {};
      const users = definitions.all(userCollection).map(accountStub);
      const bundle: Record<string, unknown> = { epoch: Math.floor(clock.now()), users };
      await fill(bundle, actors.ofUser(user));
      return bundle;
    },
  };
}
