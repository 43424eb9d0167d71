import { createHash } from "node:crypto";
import type { SqlRow, SqlSession, SqlStatement } from "@signalbox/adapters/kysely";
import type { ClientBase } from "pg";

/** int8, int2, int4, float4, float8, numeric. */
const NUMBERS = new Set([20, 21, 23, 700, 701, 1700]);
const asNumber = (text: string): number => Number(text);
const asText = (text: string): string => text;

/** Our own parsing of values: the host may have changed the global parsers of `pg`. */
const types = { getTypeParser: (oid: number) => (NUMBERS.has(oid) ? asNumber : asText) };

/** Names a statement by its text, not by a counter: connections of a shared pool may serve several storages. */
const nameOf = (sql: string): string => `sb_${createHash("sha256").update(sql).digest("base64url").slice(0, 20)}`;

/** Names of prepared statements, by statement. */
export type StatementNames = WeakMap<SqlStatement, string>;

export interface ClientSession extends SqlSession {
  /** Ends the transaction once all statements are over; resolves to the server's command tag, "COMMIT" or "ROLLBACK". */
  finish(how: "commit" | "rollback"): Promise<string>;
}

/** `names` makes the server keep repeated statements prepared; it must be absent behind a transaction-pooling proxy. */
export function clientSession(client: ClientBase, names?: StatementNames): ClientSession {
  const send: SqlSession["run"] = async (statement, parameters) => {
    const query = { text: statement.sql, values: parameters as unknown[], types };
    if (!names || !statement.kept || parameters.length === 0) return read(await client.query(query as never));
    const name = names.get(statement) ?? nameOf(statement.sql);
    names.set(statement, name);
    return read(await client.query({ ...query, name } as never));
  };
  // Absent from the type of clients in general.
  const takesMany = "pipeline" in client && client.pipeline === true;
  const inTurn: InTurn = takesMany ? (ask) => ask() : oneByOne();
  return {
    run: takesMany ? send : (statement, parameters) => inTurn(() => send(statement, parameters)),
    finish: async (how) => (await inTurn(() => client.query(how))).command,
  };
}

type InTurn = <R>(ask: () => Promise<R>) => Promise<R>;

/**
 * Serialises statements for clients of a host, which take one at a time: `pg` queues others, but warns about it on the host's
 * console and will refuse them from its next major version on.
 */
function oneByOne(): InTurn {
  let last: Promise<unknown> | undefined;
  return (ask) => {
    const answer = last ? last.then(ask) : ask();
    const ended: Promise<void> = answer.then(
      () => undefined,
      () => undefined,
    );
    last = ended;
    // Work that comes when nothing is under way need not wait.
    void ended.then(() => {
      if (last === ended) last = undefined;
    });
    return answer;
  };
}

const read = ({ rows, rowCount }: { rows: SqlRow[]; rowCount: number | null }) => ({ rows, changes: rowCount ?? 0 });
