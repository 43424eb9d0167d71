import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "@signalbox/core";
import type { Pulse } from "../cluster/pulse.ts";

/** Milliseconds to pause while texts come and go. */
const BUSY_MS = 20;
const IDLE_MS = 200;
const BUSY_FOR_MS = 5000;
const MOST_AT_ONCE = 500;
/** Prefix of a message to all nodes; other texts go from one node to another. */
const TO_ALL = "#";

interface Deps {
  readonly schema: string;
  readonly nodeId: string;
  readonly pulse: Pick<Pulse, "run">;
  readonly log: Logger;
}

interface Readers {
  /** Texts for this node alone. */
  letter(text: string): void;
  /** Texts for all nodes. */
  news(text: string): void;
}

/** Delivers texts through a table that each node polls, where notifications do not arrive. */
export interface Mailbox {
  put(letters: readonly { readonly node: string; readonly text: string }[]): Promise<void>;
  /** Stores texts for every other node listed in the table of nodes. */
  putForAll(texts: readonly string[]): Promise<void>;
  begin(readers: Readers): void;
  end(): Promise<void>;
}

function statementsOf(schema: string) {
  const mail = `"${schema}".sb_mail`;
  const put = `with gone as (delete from ${mail} where at < clock_timestamp() - interval '1 minute')
    insert into ${mail} (to_node, body) select node, text from
    (select * from json_to_recordset($1::json) as m(node text, text text, ord int) order by ord) as one`;
  const putForAll = `insert into ${mail} (to_node, body) select id, '${TO_ALL}' || text from
    (select * from json_array_elements_text($2::json) with ordinality as m(text, ord),
      "${schema}".sb_nodes where id <> $1 order by ord) as one`;
  const take = `with taken as (delete from ${mail} where id in
    (select id from ${mail} where to_node = $1 order by id limit ${MOST_AT_ONCE}) returning id, body)
    select body from taken order by id`;
  return { put, putForAll, take };
}

/** Paces the polling: short pauses while messages come and go. */
function createPace(stopping: AbortSignal) {
  let busyUntilMs = 0;
  let pause = new AbortController();
  /** Shortens the pauses for a while. */
  const touch = (): void => {
    busyUntilMs = performance.now() + BUSY_FOR_MS;
  };
  const rest = (): Promise<void> => {
    pause = new AbortController();
    const signal = AbortSignal.any([stopping, pause.signal]);
    // An early end of the pause is no error.
    const isBusy = performance.now() < busyUntilMs;
    return sleep(isBusy ? BUSY_MS : IDLE_MS, undefined, { ref: false, signal }).catch(() => undefined);
  };
  /** Polls at once. */
  const hurry = (): void => {
    touch();
    pause.abort();
  };
  return { touch, rest, hurry };
}

export function createMailbox({ schema, nodeId, pulse, log }: Deps): Mailbox {
  const { put, putForAll, take } = statementsOf(schema);
  const stopping = new AbortController();
  const pace = createPace(stopping.signal);
  let looking: Promise<void> | undefined;

  const look = async ({ letter, news }: Readers): Promise<void> => {
    const rows = await pulse.run(take, [nodeId]);
    if (rows.length > 0) pace.touch();
    for (const text of rows.map(({ body }) => String(body)))
      if (text.startsWith(TO_ALL)) news(text.slice(TO_ALL.length));
      else letter(text);
  };
  const lookAll = async (readers: Readers): Promise<void> => {
    while (!stopping.signal.aborted) {
      await look(readers).catch((error: unknown) =>
        log.warn({ error }, "Messages of other nodes could not be read; trying again"),
      );
      await pace.rest();
    }
  };
  return {
    async put(letters) {
      pace.hurry();
      await pulse.run(put, [JSON.stringify(letters.map((letter, ord) => ({ ...letter, ord })))]);
    },
    putForAll: async (texts) => void (await pulse.run(putForAll, [nodeId, JSON.stringify(texts)])),
    begin(readers) {
      looking = lookAll(readers);
    },
    async end() {
      stopping.abort();
      await looking;
    },
  };
}
