import { defineCollection, type StoredRecord } from "../../ports/storage/collection.ts";
import type { SearchTable } from "../../search/parse/table.ts";
import { analyseKeywords } from "../../search/text/analyse.ts";
import { analyseText, separateEntries } from "../../search/text/analyse-text.ts";
import { tenantTerm } from "../../wire/tenant.ts";
import type { Ticket, TicketChange } from "./model.ts";

const name = { alphanum: true };
const markdown = { markup: "markdown" } as const;
/** Words of a subject that are indexed (docs/contract/search.md#text). */
const SUBJECT_WORDS = 50;

/** Words of the history, entry by entry: a phrase never matches across entries (docs/contract/search.md#history-of-tickets). */
const changeWords = (changes: readonly TicketChange[]): string[] =>
  separateEntries(
    changes.map(({ type, id, username, key, value, body }) =>
      [type, id, username, key, value, body].flatMap((piece) => analyseText(piece, markdown)),
    ),
  );

export const ticketCollection = defineCollection<Ticket>({
  name: "tickets",
  noun: "Ticket",
  columns: {
    num: { type: "integer", unique: true, read: ({ num }) => num },
    created: { type: "integer", read: ({ created }) => created },
    modified: { type: "integer", read: ({ modified }) => modified },
    /** No due date is not zero: no comparison finds a ticket that is never due. */
    due: { type: "integer", read: ({ due }) => due || null },
  },
  terms: {
    status: ({ status }) => analyseKeywords(status),
    type: ({ type }) => analyseKeywords(type),
    category: ({ category }) => analyseKeywords(category),
    server: ({ server }) => analyseKeywords(server),
    username: ({ username }) => analyseKeywords(username, name),
    assignees: ({ assignees }) => analyseKeywords(assignees, name),
    cc: ({ cc }) => analyseKeywords(cc, name),
    tags: ({ tags }) => analyseKeywords(tags),
    jobs: (ticket) => analyseKeywords(ticket["jobs"]),
    tenant: tenantTerm,
  },
  text: {
    subject: ({ subject }) => analyseText(subject, { maxWords: SUBJECT_WORDS }),
    // A fence counts only at the beginning of a line, hence the line feed.
    body: ({ username, subject, body }) => analyseText([username, subject, `\n${body}`], markdown),
    changes: ({ changes }) => changeWords(changes),
  },
});

/** Fields that queries over tickets may name (docs/contract/search.md#fields). */
export const ticketSearch: SearchTable = {
  defaultField: "body",
  fields: {
    subject: { kind: "text" },
    body: { kind: "text", ...markdown },
    changes: { kind: "text", ...markdown },
    status: { kind: "keyword" },
    type: { kind: "keyword" },
    category: { kind: "keyword" },
    server: { kind: "keyword" },
    username: { kind: "keyword", ...name },
    assignees: { kind: "keywords", ...name },
    cc: { kind: "keywords", ...name },
    tags: { kind: "keywords" },
    jobs: { kind: "keywords" },
    tenant: { kind: "keyword" },
    num: { kind: "number" },
    created: { kind: "hour" },
    modified: { kind: "hour" },
    date: { kind: "hour", index: "created" },
    due: { kind: "day" },
  },
  sorters: { num: "num", modified: "modified" },
};

/** The number that earlier versions stored separately from the counter, which they could neither read nor raise. */
export interface NextNumber extends StoredRecord {
  /** Number of the next ticket. */
  readonly next: number;
}

/** Id of the only record, which is deleted when the first number is taken. */
export const NEXT_NUMBER = "next";

export const numberCollection = defineCollection<NextNumber>({ name: "ticket_numbers", noun: "Ticket number" });
