import { describe, expect, test } from "vitest";
import { configSchema } from "../../engine/config.ts";
import { SearchInput, searchPage } from "../../kernel/searches/search-page.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import type { Storage } from "../../ports/storage/storage.ts";
import {
  corpusErrors,
  corpusPages,
  corpusQueries,
  corpusRestricted,
} from "../../testing/conformance/search/search-corpus-queries.ts";
import { corpusTickets } from "../../testing/conformance/search/search-corpus-tickets.ts";
import { ticketCollection, ticketSearch } from "./collection.ts";
import type { Ticket } from "./model.ts";
import { visibleTickets } from "./rules/visible-tickets.ts";

/** The current time of these searches. */
const NOW = Date.parse("2026-05-20T12:00:00Z") / 1000;
const config = configSchema.parse({ tz: "UTC" });

async function openCorpus(): Promise<Storage> {
  const storage = memoryStorage();
  await storage.open([ticketCollection]);
  await storage.write(async (tx) => {
    for (const ticket of corpusTickets) await tx.collection(ticketCollection).insert(ticket as unknown as Ticket);
  });
  return storage;
}

const ask = (storage: Storage, input: object, categories: readonly string[] = []) =>
  storage.read(async (tx) => {
    const restriction = visibleTickets({ privileges: {}, categories });
    const target = { collection: ticketCollection, table: ticketSearch, code: "ticket", restriction };
    const { rows, total } = await searchPage({ tx, now: NOW, config }, SearchInput.parse(input), target);
    return { ids: rows.map(({ id }) => id).join(" "), total };
  });

const everyRow = { limit: 100, sort_dir: 1 };

describe("searches for tickets are answered as in the corpus", () => {
  test.each(Object.entries(corpusQueries))("of the group %s", async (_group, queries) => {
    const storage = await openCorpus();
    for (const [query, ids] of queries)
      expect([query, (await ask(storage, { query: query || " ", ...everyRow })).ids]).toEqual([query, ids]);
  });

  test("under a restriction", async () => {
    const storage = await openCorpus();
    for (const [query, categories, ids] of corpusRestricted)
      expect([query, (await ask(storage, { query, ...everyRow }, categories)).ids]).toEqual([query, ids]);
  });

  test("sorted and in pages", async () => {
    const storage = await openCorpus();
    for (const [query, page, ids, total] of corpusPages)
      expect(await ask(storage, { query, ...page })).toEqual({ ids, total });
  });

  test("refused with the code of tickets", async () => {
    const storage = await openCorpus();
    for (const query of corpusErrors) await expect(ask(storage, { query })).rejects.toMatchObject({ code: "ticket" });
  });
});

test("a fenced block is not searched, also when a body begins with it", async () => {
  const storage = await openCorpus();
  await storage.write((tx) =>
    tx.collection(ticketCollection).insert({
      ...(corpusTickets[0] as unknown as Ticket),
      ...{ id: "t99", num: 99, body: "```\nhidden\n```\nshown" },
    }),
  );
  expect((await ask(storage, { query: "hidden" })).total).toBe(0);
  expect((await ask(storage, { query: "shown" })).total).toBe(1);
});
