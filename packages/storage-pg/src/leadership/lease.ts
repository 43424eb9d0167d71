import type { SqlResult } from "@signalbox/adapters/kysely";

/** Runs one statement on a connection. */
export type Run = (sql: string, parameters?: readonly unknown[]) => Promise<SqlResult>;

/** The lease of an office, as a node has read it. */
export interface Lease {
  readonly node: string;
  readonly term: number;
  /** Changes with each renewal. */
  readonly mark: string;
  /** Judged only by the clock of the server: clocks of nodes drift. */
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
  /** A lease whose holder is known to be gone: a candidate need not wait until it expires. */
  readonly orphan?: Lease;
}

export interface Leases {
  look(run: Run, office: string): Promise<Lease | undefined>;
  /**
   * Takes the office. Resolves to the new term, or undefined when the office is held. Waits for fenced transactions of the
   * previous term.
   */
  take(run: Run, candidature: Candidature): Promise<number | undefined>;
  /** Renews the lease; false when the term is over. */
  renew(run: Run, tenure: Tenure): Promise<boolean>;
  resign(run: Run, tenure: Tenure): Promise<void>;
  /** Guards the start of a transaction: false when the term is over; true keeps a successor out until the transaction ends. */
  fence(run: Run, tenure: Tenure): Promise<boolean>;
}

const LEASE_SEC = 10;
/** Milliseconds that a successor waits for a transaction of the previous term before it retries. */
const LOCK_WAIT_MS = 2000;

/** The statements themselves enforce the rules of an office, so that nothing can change between a check and a write. */
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
      // Not `for share`: this node's own renewal would wait for it.
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
    // A restore adds the primary key last. Without the name of the column, each candidate would add a row until then, and nobody
    // would ever lead.
    const free = `insert into ${table} values ($1, '', 0, clock_timestamp()) on conflict (office) do nothing`;
    await run(free, [office]);
    await run(`select 1 from ${table} where office = $1 for update`, [office]);
    // Terms must grow even after a failover that lost the latest ones, so they contain the time.
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
