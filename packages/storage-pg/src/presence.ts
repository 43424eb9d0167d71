import type { Clock, Logger } from "@signalbox/core/adapter";
import type { Transactions } from "./transactions.ts";

const BEAT_MS = 10_000;
/** Nodes not seen for this long are forgotten. */
const FORGET_SEC = 86_400;

interface PresenceDeps {
  readonly schema: string;
  readonly nodeId: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Stamps this node's row in `sb_nodes`, so that the others know who is alive. */
export function createPresence(
  { schema, nodeId, clock, log }: PresenceDeps,
  { write }: Pick<Transactions, "write">,
): { start(): Promise<void>; stop(): Promise<void> } {
  const table = `"${schema.replaceAll('"', '""')}".sb_nodes`;
  let timer: Disposable | undefined;
  const run = (sql: string, parameters: unknown[]): Promise<void> =>
    write(async (session) => {
      await session.run({ sql, kept: true }, parameters);
      return { result: undefined, committed: () => undefined };
    });
  const stamp = (): Promise<void> =>
    run(`insert into ${table} (id, seen) values ($1, $2) on conflict (id) do update set seen = excluded.seen`, [
      nodeId,
      clock.now(),
    ]);
  const schedule = (): void => {
    timer = clock.after(BEAT_MS, () => {
      stamp()
        .catch((error: unknown) => log.warn({ error }, "The presence of this node could not be stamped"))
        .finally(() => timer && schedule());
    });
  };
  return {
    async start() {
      await run(`delete from ${table} where seen < $1`, [clock.now() - FORGET_SEC]);
      await stamp();
      schedule();
    },
    async stop() {
      if (!timer) return;
      timer[Symbol.dispose]();
      timer = undefined;
      await run(`delete from ${table} where id = $1`, [nodeId]).catch((error: unknown) =>
        log.warn({ error }, "The presence of this node could not be removed"),
      );
    },
  };
}
