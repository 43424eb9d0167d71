import { hostname, loadavg } from "node:os";
import type { SqlRow } from "@signalbox/adapters/kysely";
import type { Coordination, StoredNode } from "@signalbox/core/storage";
import type { Pulse } from "./pulse.ts";

type BeatPort = Required<Pick<Coordination, "beat" | "forgetNode" | "machine">>;

/** Rows of `sb_nodes`: a node writes its own row and reads all rows with one statement. */
export function createBeats({ schema, pulse }: { readonly schema: string; readonly pulse: Pulse }): BeatPort {
  const table = `"${schema}".sb_nodes`;
  const beat = beatSql(table);
  return {
    machine: { host: hostname(), load: () => loadavg()[0] ?? 0 },
    async beat({ id, host, version, protocol, started, state, satellites, jobs, load, lagMs }) {
      const said = [id, host, version, protocol, started, state, satellites, jobs, load, lagMs];
      const rows = await pulse.run(beat, said);
      const stored = rows.filter((row) => row["id"] !== null).map(nodeOf);
      return {
        // `stored` shows the table as it was before this statement.
        wasKnown: stored.some((row) => row.id === id),
        others: stored.filter((row) => row.id !== id),
        nowMs: Number(rows[0]?.["now"]),
      };
    },
    async forgetNode(id) {
      await pulse.run(`delete from ${table} where id = $1`, [id]);
    },
  };
}

const SAID = ["host", "version", "protocol", "started", "state", "satellites", "jobs", "load", "lag_ms"] as const;

/** The statement of a beat: it returns the server's time with each row, or alone when there are no rows. */
function beatSql(table: string): string {
  const values = SAID.map((_name, index) => `$${index + 2}`).join(", ");
  const changes = SAID.map((name) => `${name} = excluded.${name}`).join(", ");
  return `with own as (
    insert into ${table} as node (id, seen, beat, ${SAID.join(", ")})
    values ($1, extract(epoch from clock_timestamp()), 1, ${values})
    on conflict (id) do update set seen = excluded.seen, beat = node.beat + 1, ${changes})
    select node.*, extract(epoch from clock_timestamp())::float8 * 1000 as now
    from (select 1) as one left join ${table} as node on true`;
}

const nodeOf = (row: SqlRow): StoredNode => ({
  id: String(row["id"]),
  host: String(row["host"]),
  version: String(row["version"]),
  protocol: Number(row["protocol"]),
  started: Number(row["started"]),
  state: row["state"] === "draining" ? "draining" : "up",
  satellites: Number(row["satellites"]),
  jobs: Number(row["jobs"]),
  load: Number(row["load"]),
  lagMs: Number(row["lag_ms"]),
  beat: Number(row["beat"]),
});
