import { defineCollection, type StoredRecord } from "../../ports/collection.ts";
import { analyseKeywords } from "../../search/analyse.ts";
import { analyseText, separateEntries } from "../../search/analyse-text.ts";
import type { SearchTable } from "../../search/table.ts";

interface CorpusChange {
  readonly type: string;
  readonly id?: string;
  readonly username: string;
  readonly date: number;
  readonly key?: string;
  readonly value?: unknown;
  readonly body?: string;
}

/** A ticket as part 40 stores it. */
export interface CorpusTicket extends StoredRecord {
  readonly num: number;
  readonly subject: string;
  readonly type: string;
  readonly status: string;
  readonly category: string;
  readonly server: string;
  readonly username: string;
  readonly assignees: readonly string[];
  readonly cc: readonly string[];
  readonly tags: readonly string[];
  readonly created: number;
  readonly modified: number;
  readonly due: number;
  readonly body: string;
  readonly changes: readonly CorpusChange[];
}

const name = { alphanum: true };
const markdown = { markup: "markdown" } as const;

/** Entries of the history, between which no phrase is found (part 41 §5.1). */
const changeWords = (changes: readonly CorpusChange[]): string[] =>
  separateEntries(
    changes.map(({ type, id, username, key, value, body }) =>
      [type, id, username, key, value, body].flatMap((piece) => analyseText(piece, markdown)),
    ),
  );

/** Indexed as part 41 §5 says of tickets. */
export const corpusCollection = defineCollection<CorpusTicket>({
  name: "conformance_tickets",
  noun: "Ticket",
  columns: {
    num: { type: "integer", read: ({ num }) => num },
    created: { type: "integer", read: ({ created }) => created },
    modified: { type: "integer", read: ({ modified }) => modified },
    due: { type: "integer", read: ({ due }) => due || null },
  },
  terms: {
    status: ({ status }) => analyseKeywords(status),
    type: ({ type }) => analyseKeywords(type),
    category: ({ category }) => analyseKeywords(category),
    server: ({ server }) => analyseKeywords(server),
    tags: ({ tags }) => analyseKeywords(tags),
    username: ({ username }) => analyseKeywords(username, name),
    assignees: ({ assignees }) => analyseKeywords(assignees, name),
    cc: ({ cc }) => analyseKeywords(cc, name),
  },
  text: {
    subject: ({ subject }) => analyseText(subject, { maxWords: 50 }),
    body: ({ username, subject, body }) => analyseText([username, subject, body], markdown),
    changes: ({ changes }) => changeWords(changes),
  },
});

export const corpusTable: SearchTable = {
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
    num: { kind: "number" },
    created: { kind: "hour" },
    modified: { kind: "hour" },
    date: { kind: "hour", index: "created" },
    due: { kind: "day" },
  },
  sorters: { num: "num", modified: "modified" },
};
