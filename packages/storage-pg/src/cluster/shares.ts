import type { Coordination } from "@signalbox/core/storage";
import type { Pulse } from "./pulse.ts";

type SharePort = Required<Pick<Coordination, "takeShare">>;

/** Nodes also ask for shares of later minutes, so a row stays in use after rows for other minutes are written. */
const KEPT_MINUTES = 1440;

/**
 * Splits a rate per minute among all nodes, in one row that is written once per share. A share is a tenth of the whole, divided
 * by the number of nodes, and a single launch once nine tenths are taken. So at most a tenth stays with nodes that do not need
 * it.
 */
export function createShares({
  schema,
  pulse,
}: {
  readonly schema: string;
  readonly pulse: Pick<Pulse, "run">;
}): SharePort {
  const rates = `"${schema}".sb_rates`;
  const tenth = `greatest(1, $2::bigint / (10 * greatest(1, (select count(*) from "${schema}".sb_nodes))))`;
  const next = `least($2 - rate.taken, case when rate.taken >= 0.9 * $2 then 1 else ${tenth} end)`;
  const sql = `with gone as (delete from ${rates} where minute < $1 - ${KEPT_MINUTES})
    insert into ${rates} as rate (minute, taken, granted) values ($1, ${tenth}, ${tenth})
    on conflict (minute) do update set taken = rate.taken + ${next}, granted = ${next}
    where rate.taken < $2 returning granted`;
  return {
    async takeShare({ minute, most }) {
      const [row] = await pulse.run(sql, [minute, most]);
      return row ? Number(row["granted"]) : 0;
    },
  };
}
