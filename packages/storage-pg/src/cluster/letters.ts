import { createHash } from "node:crypto";
import type { Logger } from "@signalbox/core/adapter";
import type { Carrier } from "../news/carrier.ts";
import type { Mailbox } from "../news/mailbox.ts";
import type { Pulse } from "./pulse.ts";

/** PostgreSQL bounds the payload of a notification to less than 8000 bytes. */
const MAX_BYTES = 7900;
const LONGEST_NAME = 63;
/** Letters that may wait for the statement before them. */
const MAX_WAITING = 2000;

/** The channel for letters to one node. */
export function nodeChannel(schema: string, node: string): string {
  const name = `signalbox_${schema}_${node}`;
  if (Buffer.byteLength(name) <= LONGEST_NAME) return name;
  return `signalbox_${createHash("sha256").update(name).digest("hex").slice(0, 48)}`;
}

interface Letter {
  readonly channel: string;
  readonly node: string;
  readonly text: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface Letters {
  /** Resolves when the server has accepted the text; rejects when it cannot be sent. */
  post(node: string, text: string): Promise<void>;
  /** Hands letters on this node's channel to the handlers, in the order of arrival. */
  deliver(payload: string | undefined): void;
  collect(node: string, handler: (text: string) => void): Promise<Disposable>;
}

interface LettersDeps {
  readonly schema: string;
  readonly pulse: Pulse;
  readonly carrier: Pick<Carrier, "polls">;
  readonly mailbox: Pick<Mailbox, "put">;
  readonly log: Logger;
}

/** Queues letters: all that come while a batch is under way go together with the next one. */
function createLine(sendBatch: (batch: readonly Letter[]) => Promise<void>) {
  let waiting: Letter[] = [];
  let isSending = false;
  const sendAll = async (): Promise<void> => {
    isSending = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await sendBatch(batch);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isSending = false;
  };
  return {
    add(letter: Omit<Letter, "resolve" | "reject">): Promise<void> {
      if (waiting.length >= MAX_WAITING) return Promise.reject(new Error("Too many messages wait to be sent"));
      return new Promise((resolve, reject) => {
        waiting.push({ ...letter, resolve, reject });
        if (!isSending) void sendAll();
      });
    },
  };
}

/** Resolves to the text of a letter. A text too long for a notification is stored, and the notification carries its id. */
async function openLetter(pulse: LettersDeps["pulse"], mail: string, payload: string): Promise<string | undefined> {
  if (!payload.startsWith("@")) return payload;
  const id = payload.slice(1);
  if (!/^\d{1,18}$/.test(id)) return undefined;
  const [row] = await pulse.run(`delete from ${mail} where id = $1 returning body`, [id]);
  return row && String(row["body"]);
}

/**
 * Sends texts from node to node by notifications, long ones through an unlogged table. One statement is under way at a time;
 * texts that come meanwhile go with the next one.
 */
export function createLetters({ schema, pulse, log, carrier, mailbox }: LettersDeps): Letters {
  const mail = `"${schema}".sb_mail`;
  const handlers = new Set<(text: string) => void>();
  let last: Promise<void> = Promise.resolve();

  const sendBatch = async (batch: readonly Letter[]): Promise<void> => {
    if (carrier.polls) await mailbox.put(batch.map(({ node, text }) => ({ node, text })));
    else await pulse.run(...sending(mail, batch.map(rowOf)));
  };
  const line = createLine(sendBatch);
  return {
    post: (node, text) => line.add({ channel: nodeChannel(schema, node), node, text }),
    deliver(payload = "") {
      last = last.then(async () => {
        try {
          const text = await openLetter(pulse, mail, payload);
          if (text !== undefined) for (const handler of handlers) handler(text);
        } catch (error) {
          log.warn({ error }, "A message of another node could not be read");
        }
      });
    },
    async collect(_node, handler) {
      const added = (text: string): void => handler(text);
      handlers.add(added);
      return { [Symbol.dispose]: () => void handlers.delete(added) };
    },
  };
}

const rowOf = ({ channel, node, text }: Letter, index: number) => ({
  channel,
  node,
  text,
  ord: index,
  long: Buffer.byteLength(text) > MAX_BYTES,
});

const sending = (mail: string, rows: readonly ReturnType<typeof rowOf>[]): Parameters<Pulse["run"]> => [
  rows.some(({ long }) => long) ? sendSql(mail) : SEND_SHORT,
  [JSON.stringify(rows)],
];

const SEND_SHORT = `select pg_notify(channel, text)
  from (select * from json_to_recordset($1::json) as m(channel text, text text, ord int) order by ord) as one`;

/**
 * Draws the number of a long text before storing it, so that all texts go out in order. A text that nobody fetches is deleted
 * after a minute, with the next long one.
 */
const sendSql = (mail: string): string => `
  with sent as materialized (
    select m.*, case when long then nextval(pg_get_serial_sequence('${mail}', 'id')) end as number
    from json_to_recordset($1::json) as m(channel text, node text, text text, ord int, long boolean)),
  stored as (insert into ${mail} (id, to_node, body) select number, node, text from sent where long),
  gone as (delete from ${mail} where at < clock_timestamp() - interval '1 minute'
    and exists (select from sent where long))
  select pg_notify(channel, case when long then '@' || number else text end)
  from (select * from sent order by ord) as one`;
