import type { Cradle } from "../../kernel/container.ts";
import type { StartReport } from "../../kernel/lifecycle.ts";
import { apiKeyCollection } from "./collection.ts";
import { newApiKey } from "./operations.ts";
import { publicApiKey } from "./rules.ts";

/** Makes the first administrator of a fresh installation and tells `start` about it, once. */
export interface Bootstrap {
  ensureAdministrator(): Promise<void>;
  report(): StartReport;
}

type Deps = Pick<Cradle, "transact" | "ids" | "clock" | "config" | "administratorKey">;

const COUNTER = "bootstrap:administrator";

export function createBootstrap({ transact, ids, clock, config, administratorKey }: Deps): Bootstrap {
  let created: string | undefined;
  return {
    async ensureAdministrator() {
      created = await transact(async ({ tx, audit }) => {
        const keys = tx.collection(apiKeyCollection);
        // The counter decides between nodes that start at once, and for stores whose last key was deleted on purpose.
        if ((await tx.counter(COUNTER)) > 1 || (await keys.list()).length > 0) return undefined;
        const plain = administratorKey ?? ids.alphanumeric(config.api.key_length);
        const record = newApiKey(
          { title: "Administrator", description: "Made at the first start.", privileges: { admin: true } },
          { id: ids.short("k"), plain, username: "system", now: Math.floor(clock.now()) },
        );
        await keys.insert(record);
        audit("apikey_create", { api_key: publicApiKey(record) });
        return plain;
      });
    },
    report() {
      const report = created === undefined ? {} : { administratorKey: created };
      created = undefined;
      return report;
    },
  };
}
