import type { SqlResult } from "@signalbox/adapters/kysely";

/** One statement of a connection. */
export type Run = (sql: string, parameters?: readonly unknown[]) => Promise<SqlResult>;

/** The lease of an office, as a node has read it. */
export interface Lease {
  readonly node: string;
  readonly term: number;
  /** Text that differs after each renewal. */
  readonly mark: string;
  /** Judged by the clock of the server alone: clocks of nodes drift. */
  readonly isOver: boolean;
}

/** One election: node and number of the term. */
export interface Tenure {
  readonly office: string;
  readonly node: string;
  readonly term: number;
}

interface Candidature {
  readonly office: string;
  readonly node: string;
  /** A lease whose holder is known to be gone: it need not run out. */
  readonly orphan?: Lease;
}

export interface Leases {
  look(run: Run, office: string): Promise<Lease | undefined>;
  /** The new term; undefined where the office is held. Waits for fenced transactions of the term before. */
  take(run: Run, candidature: Candidature): Promise<number | undefined>;
  /** Renews the lease; false when the term is over. */
  renew(run: Run, tenure: Tenure): Promise<boolean>;
  resign(run: Run, tenure: Tenure): Promise<void>;
  /** Guards the beginning of a transaction: false when the term is over; true keeps a successor out until it ends. */
  fence(run: Run, tenure: Tenure): Promise<boolean>;
}

const LEASE_SEC = 10;
/** A successor waits so long for a transaction of the term before, and tries again. */
const LOCK_WAIT_MS = 2000;

/** The rules of an office are in its statements, so that there is no moment between looking and writing. */
export function createLeases(schema: string, { lockWaitMs = LOCK_WAIT_MS } = {}): Leases {
  const table = `"${schema}".sb_offices`;
  const isOver = "expires <= clock_timestamp()";
  const ofTenure = "office = $1 and node = $2 and term = $3";
  const inTenure = ({ office, node, term }: Tenure): unknown[] => [office, node, term];
  return {
    async look(run, office) {
      const sql = `select node, term, expires::text as mark, (${isOver})::text as over from ${table} where office = $1`;
      const [row] = (await run(sql, [office])).rows;
      if (!row) return undefined;
      const { node, term, mark, over } = row;
      return { node: String(node), term: Number(term), mark: String(mark), isOver: over === "true" };
    },
    take: (run, candidature) => take(run, { table, isOver, lockWaitMs }, candidature),
    async renew(run, tenure) {
      const sql = `update ${table} set expires = clock_timestamp() + interval '${LEASE_SEC} s' where ${ofTenure}`;
      return (await run(sql, inTenure(tenure))).changes === 1;
    },
    async resign(run, tenure) {
      await run(`update ${table} set expires = clock_timestamp() where ${ofTenure}`, inTenure(tenure));
    },
    async fence(run, tenure) {
      // Not `for share`: the own renewal would wait for it.
      const { rows } = await run(`select 1 from ${table} where ${ofTenure} for key share`, inTenure(tenure));
      return rows.length === 1;
    },
  };
}

interface Taking {
  readonly table: string;
  readonly isOver: string;
  readonly lockWaitMs: number;
}

async function take(run: Run, { table, isOver, lockWaitMs }: Taking, candidature: Candidature) {
  const { office, node, orphan } = candidature;
  await run(`begin; set local synchronous_commit = on; set local lock_timeout = ${lockWaitMs}`);
  try {
    const free = `insert into ${table} values ($1, '', 0, clock_timestamp()) on conflict do nothing`;
    await run(free, [office]);
    await run(`select 1 from ${table} where office = $1 for update`, [office]);
    // Numbers of terms grow also where a failover forgot the last ones: by the time in them.
    const sql = `update ${table} set node = $2, expires = clock_timestamp() + interval '${LEASE_SEC} s',
        term = greatest(term + 1, (extract(epoch from clock_timestamp()) * 1000)::bigint)
      where office = $1 and (${isOver} or node = $2 or (term = $3 and expires::text = $4)) returning term`;
    const { rows } = await run(sql, [office, node, orphan?.term ?? null, orphan?.mark ?? null]);
    await run("commit");
    return rows[0] ? Number(rows[0]["term"]) : undefined;
  } catch (error) {
    await run("rollback");
    throw error;
  }
}
