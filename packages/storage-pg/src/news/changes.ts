import type { SqlRow, SqlSession, SqlStatement } from "@signalbox/adapters/kysely";
import type { Logger } from "@signalbox/core";
import type { Pulse } from "../cluster/pulse.ts";
import { encode, type Notification } from "./messages.ts";

/** Milliseconds between two looks when nothing wakes the node. */
const LOOK_MS = 1000;
/** A node that is further behind than this many messages reads its data again instead. */
const MAX_ROWS = 5000;
/** Milliseconds that rows are kept; a node that did not read for longer reads its data again. */
const KEPT_MS = 600_000;
const TIDY_MS = 60_000;

interface Deps {
  readonly schema: string;
  readonly nodeId: string;
  readonly pulse: Pick<Pulse, "onLost" | "run">;
  readonly log: Logger;
}

interface Readers {
  /** Takes the changes of another node, in order. */
  deliver(payload: string): void;
  /** Called when some changes may have been missed. */
  gap(): void;
  /** True on the node that deletes old rows. */
  tidies(): boolean;
}

export interface Changes {
  /** Stores notifications in a transaction. */
  store(session: SqlSession, notifications: readonly Notification[]): Promise<void>;
  /** Starts to read the commits of other nodes. */
  begin(): Promise<void>;
  /** Called when there is more to read. */
  wake(): void;
  end(): Promise<void>;
}

/**
 * The log of changes through which transactions notify other nodes. A position in it is a snapshot of the database, not a number:
 * a transaction that drew its number early and committed late is not missed, and nothing is read twice.
 */
export function createChanges(deps: Deps, readers: Readers): Changes {
  const { log, pulse } = deps;
  const read = createReading(deps, readers);
  const tidy = createTidying(deps, readers);
  let reading: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let again = false;
  // The new connection may lead to another database, which counts its transactions from the start.
  pulse.onLost(read.restart);

  const readAll = async (): Promise<void> => {
    try {
      do {
        again = false;
        await read.next();
        await tidy(read.position());
      } while (again);
    } catch (error) {
      read.restart();
      log.warn({ error }, "Changes of other nodes could not be read; trying again");
    } finally {
      reading = undefined;
    }
  };
  const wake = (): void => {
    again = true;
    if (timer !== undefined) reading ??= readAll();
  };
  return {
    store: createStore(deps),
    async begin() {
      await read.start();
      timer = setInterval(wake, LOOK_MS).unref();
    },
    wake,
    async end() {
      clearInterval(timer);
      timer = undefined;
      await reading;
    },
  };
}

function createStore({ schema, nodeId }: Deps): Changes["store"] {
  const insert: SqlStatement = { sql: `insert into "${schema}".sb_changes (node, body) values ($1, $2)`, kept: true };
  return async (session, notifications) =>
    void (await session.run(insert, [nodeId, JSON.stringify(notifications.map(encode))]));
}

function createReading({ schema, nodeId, pulse }: Deps, { deliver, gap }: Readers) {
  const sql = `select id, body, pg_current_snapshot()::text as next from (select 1) as one
    left join "${schema}".sb_changes on node <> $2 and xid >= pg_snapshot_xmin($1::pg_snapshot)
      and not pg_visible_in_snapshot(xid, $1::pg_snapshot)
    order by id limit ${MAX_ROWS + 1}`;
  let position: string | undefined;
  let readMs = 0;
  const start = async (): Promise<void> => {
    readMs = performance.now();
    const [row] = await pulse.run("select pg_current_snapshot()::text as now", []);
    position = String(row?.["now"]);
  };
  return {
    start,
    position: () => position,
    restart(): void {
      position = undefined;
    },
    async next(): Promise<void> {
      if (position === undefined || performance.now() - readMs > KEPT_MS) {
        await start();
        return gap();
      }
      const sentMs = performance.now();
      const from = position;
      const rows = await pulse.run(sql, [from, nodeId]);
      // The position was reset during the query, so the result is void.
      if (position !== from) return;
      position = String(rows[0]?.["next"]);
      readMs = sentMs;
      if (rows.length > MAX_ROWS) return gap();
      for (const payload of rows.flatMap(payloadsOf)) deliver(payload);
    },
  };
}

const payloadsOf = ({ body }: SqlRow): readonly string[] => (body === null ? [] : JSON.parse(String(body)));

/**
 * Deletes rows that every node has read or is too late for. Goes by positions, not by date: by date, a late commit would be
 * deleted unread.
 */
function createTidying({ schema, pulse }: Deps, { tidies }: Readers): (position: string | undefined) => Promise<void> {
  const sql = `delete from "${schema}".sb_changes where xid < pg_snapshot_xmin($1::pg_snapshot)`;
  let passed: { readonly position: string; readonly atMs: number }[] = [];
  return async (position) => {
    const nowMs = performance.now();
    if (position === undefined || nowMs - (passed.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) < TIDY_MS) return;
    passed = [...passed, { position, atMs: nowMs }];
    const old = passed.findLast(({ atMs }) => nowMs - atMs > KEPT_MS);
    if (!old) return;
    passed = passed.filter(({ atMs }) => atMs >= old.atMs);
    if (tidies()) await pulse.run(sql, [old.position]);
  };
}
