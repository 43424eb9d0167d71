import assert from "node:assert/strict";
import { configSchema } from "../../../engine/config.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { SearchInput, searchPage } from "../../../kernel/searches/search-page.ts";
import type { Storage } from "../../../ports/storage/storage.ts";
import type { SearchNode } from "../../../search/ast.ts";
import type { StorageCases } from "../storage/storage-fixtures.ts";
import { corpusCollection, corpusTable } from "./search-corpus.ts";
import { corpusErrors, corpusPages, corpusQueries, corpusRestricted } from "./search-corpus-queries.ts";
import { corpusTickets } from "./search-corpus-tickets.ts";

/** 2026-05-20 12:00 UTC */
const NOW = 1_779_278_400;
const config = configSchema.parse({ tz: "UTC" });
const everyRow = { limit: 100, sort_dir: 1 };

const store = (storage: Storage): Promise<void> =>
  storage.write(async (tx) => {
    for (const ticket of corpusTickets) await tx.collection(corpusCollection).insert(ticket);
  });

interface Answer {
  readonly ids: string;
  readonly total: number;
}

const ask = (storage: Storage, input: object, restriction?: SearchNode): Promise<Answer> =>
  storage.read(async (tx) => {
    const target = { collection: corpusCollection, table: corpusTable, code: "ticket", restriction };
    const { rows, total } = await searchPage({ tx, now: NOW, config }, SearchInput.parse(input), target);
    return { ids: rows.map(({ id }) => id).join(" "), total };
  });

/** Keeps a blank query blank: it finds nothing, whereas an absent query finds everything. */
const asWritten = (query: string): string => query || " ";

async function askAll(storage: Storage, queries: readonly (readonly [query: string, ids: string])[]): Promise<void> {
  await store(storage);
  for (const [query, ids] of queries)
    assert.equal((await ask(storage, { query: asWritten(query), ...everyRow })).ids, ids, query);
}

/** Tickets and queries with the same results in every storage. */
export const corpusCases: StorageCases = {
  ...Object.fromEntries(
    Object.entries(corpusQueries).map(([group, queries]) => [
      `answers the questions of the group ${group}`,
      ({ storage }) => askAll(storage, queries),
    ]),
  ),
  async "gives the same answers after every ticket was written again and others were deleted"({ storage }) {
    await storage.write(async (tx) => {
      const tickets = tx.collection(corpusCollection);
      for (const ticket of corpusTickets) {
        await tickets.insert({ ...ticket, subject: "lamp firmware backup", body: "zip targeting", tags: ["infra"] });
        await tickets.insert({ ...ticket, id: `${ticket.id}x` });
      }
    });
    await storage.write(async (tx) => {
      const tickets = tx.collection(corpusCollection);
      for (const ticket of corpusTickets) {
        await tickets.update(ticket.id, () => ticket);
        await tickets.delete(`${ticket.id}x`);
      }
    });
    for (const [query, ids] of Object.values(corpusQueries).flat())
      assert.equal((await ask(storage, { query: asWritten(query), ...everyRow })).ids, ids, query);
  },
  async "refuses queries that cannot be parsed"({ storage }) {
    for (const query of corpusErrors)
      await assert.rejects(
        ask(storage, { query }),
        (error) => error instanceof DomainError && error.code === "ticket",
        query,
      );
  },
  async "never shows more than a restriction allows"({ storage }) {
    await store(storage);
    for (const [query, words, ids] of corpusRestricted) {
      const restriction: SearchNode = { kind: "term", field: "category", words };
      assert.equal((await ask(storage, { query, ...everyRow }, restriction)).ids, ids, query);
    }
  },
  async "pages and sorts"({ storage }) {
    await store(storage);
    for (const [query, page, ids, total] of corpusPages)
      assert.deepEqual(await ask(storage, { query, ...page }), { ids, total }, `${query} ${JSON.stringify(page)}`);
  },
};
