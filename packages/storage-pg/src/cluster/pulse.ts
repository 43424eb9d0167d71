import type { SqlRow, SqlStatement } from "@signalbox/adapters/kysely";
import type pg from "pg";
import type { Carrier } from "../news/carrier.ts";
import type { Connections } from "../sessions/connections.ts";
import { clientSession, type StatementNames } from "../sessions/session.ts";
import { hangUp, inTime } from "../sessions/silent.ts";

/** Statement timeout on the server: a late beat or message is useless. */
const PATIENCE_MS = 2000;
/** Beats and messages need not survive a crash of the server: they wait for no flush to disk, and no flush waits for them. */
const SETTINGS = `set synchronous_commit = off; set statement_timeout = ${PATIENCE_MS}`;

/** A dedicated connection for beats and messages, so that they wait for no other work. Runs one statement at a time. */
export interface Pulse {
  run(sql: string, parameters: readonly unknown[]): Promise<readonly SqlRow[]>;
  /** Called when the connection is lost; the next statement opens another one. */
  onLost(listener: () => void): void;
  end(): Promise<void>;
}

type Line = Pick<Connections, "connectAlone">;

export function createPulse({ connectAlone }: Line, carrier: Pick<Carrier, "polls">): Pulse {
  const statementOf = createStatements();
  // These statements repeat, and planning one costs more than running it. Behind a proxy none stays prepared.
  const names: StatementNames = new WeakMap();
  const listeners: (() => void)[] = [];
  let connecting: Promise<pg.Client> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const connected = (): Promise<pg.Client> => {
    connecting ??= connectPulse(connectAlone, carrier).then(
      (client) =>
        client.once("end", () => {
          connecting = undefined;
          for (const listener of listeners) listener();
        }),
      (error: unknown) => {
        connecting = undefined;
        throw error;
      },
    );
    return connecting;
  };
  return {
    run(sql, parameters) {
      const answer = last.then(async () => {
        const client = await connected();
        const session = clientSession(client, carrier.polls ? undefined : names);
        const answer = session.run(statementOf(sql), parameters);
        return (await inTime(client, answer, carrier.polls ? PATIENCE_MS : undefined)).rows;
      });
      last = answer.catch(() => undefined);
      return answer;
    },
    onLost: (listener) => void listeners.push(listener),
    async end() {
      await last;
      const client = await connecting?.catch(() => undefined);
      if (client) await hangUp(client);
    },
  };
}

async function connectPulse(connectAlone: Line["connectAlone"], { polls }: Pick<Carrier, "polls">): Promise<pg.Client> {
  const client = await connectAlone("pulse");
  // Behind a proxy the setting would stay with a session that serves other clients next.
  if (!polls) await inTime(client, client.query(SETTINGS));
  return client;
}

/** Returns one object per text, by which a connection recognises a prepared statement. */
function createStatements(): (sql: string) => SqlStatement {
  const statements = new Map<string, SqlStatement>();
  return (sql) => {
    const known = statements.get(sql) ?? { sql, kept: true };
    statements.set(sql, known);
    return known;
  };
}
