/** Ticket records and activity rows as the hand-written servers write them, with the members of ours. */
import type { Members } from "./hand-serve.ts";

export const WHO = { username: "kmww7wumx6zt7r37", cause: { kind: "api_key", id: "kmww7wumx6zt7r37" } };

let serial = 0;
const newId = (letter: string): string =>
  `${letter}${Date.now().toString(36)}${(serial++).toString(36).padStart(7, "0")}`;

export const wordsOf = (text: unknown): string => String(text).toLowerCase().split(/\W+/).join(" ");

export interface MadeTicket extends Members {
  readonly id: string;
  readonly created: number;
  readonly changes: readonly Members[];
}

export function newTicket(input: Members, num: number): MadeTicket {
  const now = Math.floor(Date.now() / 1000);
  const changes = [{ type: "change", username: WHO.username, date: now, key: "created" }];
  const lists = { cc: [], notify: [], due: 0, changes };
  return { ...input, id: newId("t"), num, ...lists, created: now, modified: now, ...WHO };
}

export function changedTicket(doc: string, subject: unknown): MadeTicket & { readonly modified: number } {
  const now = Math.floor(Date.now() / 1000);
  const known = JSON.parse(doc) as MadeTicket;
  const made = { type: "change", username: WHO.username, date: now, key: "subject", value: subject };
  return { ...known, subject, changes: [...known.changes, made], modified: now };
}

export interface Texts {
  readonly subject: string;
  readonly body: string;
  readonly changes: string;
}

/** Texts of a ticket that searches cover. */
export const textsOf = ({ subject, body, changes }: MadeTicket): Texts => ({
  subject: wordsOf(subject),
  body: `${WHO.username} ${wordsOf(subject)} ${wordsOf(body)}`,
  changes: changes.map((one) => `${one["key"]} ${wordsOf(one["value"] ?? "")}`.trim()).join(" "),
});

export const termsOf = ({ status, type, assignees = [], tags = [] }: Members): (readonly [string, string])[] => [
  ["status", String(status)],
  ["type", String(type)],
  ...(assignees as string[]).map((name) => ["assignees", name] as const),
  ...(tags as string[]).map((tag) => ["tags", tag] as const),
];

/** A row of the activity log, with its words. */
export function noteOf(action: string, record: Members) {
  const [id, epoch] = [newId("a"), Date.now() / 1000];
  const terms = [
    ["action", action],
    ["keywords", WHO.username],
    ["keywords", String(record["id"])],
  ] as const;
  return { id, epoch, doc: JSON.stringify({ action, record, ...WHO, id, epoch }), terms };
}
