import { createSignalbox } from "@signalbox/core";
import { fakeClock } from "@signalbox/core/testing";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { pgStorage } from "../src/index.ts";
import { type Asked, type CountedPool, countedPool } from "./counted-pool.ts";
import { createTestDatabase } from "./test-database.ts";

const ticket = {
  subject: "backup disk network cluster release",
  body: "queue latency memory kernel firewall storage replica index cache login ".repeat(4),
  type: "issue",
  status: "open",
} as const;
const ME = "me";

async function open(counted: CountedPool) {
  const clock = fakeClock();
  const storage = pgStorage({ pool: counted.pool, clock });
  const engine = createSignalbox({ storage, clock, secretKey: "a key of tests alone" });
  await engine.start();
  const { api } = engine;
  const { id } = (await api.createTicket(ticket)).ticket;
  await api.createSecret({ id: "held", title: "Held", enabled: true, fields: [{ name: "TOKEN", value: "value" }] });
  await api.decryptSecret({ id: "held" });
  return { clock, id, engine, storage, now: clock.now() };
}

let counted: CountedPool;
let opened: Awaited<ReturnType<typeof open>>;
beforeAll(async () => {
  counted = countedPool(await createTestDatabase(inject("pgUrl")));
  opened = await open(counted);
});
afterAll(async () => {
  await opened.engine.stop();
  await counted[Symbol.asyncDispose]();
});

/** Waits until snapshots have ended as well: a caller gets the answer before that. */
const atRest = (): Promise<void> => expect.poll(() => counted.pool.idleCount).toBe(counted.pool.totalCount);

const claim = ({ storage, now }: typeof opened, look: boolean) =>
  storage.work.claim({ node: ME, kinds: ["budget"], limit: 10, now: now + 1, leaseSec: 60, look });

const works: Readonly<Record<string, (on: typeof opened) => Promise<unknown>>> = {
  create_ticket: ({ engine }) => engine.api.createTicket(ticket),
  "create_ticket with a tag": ({ engine }) => engine.api.createTicket({ ...ticket, tags: ["important"] }),
  update_ticket: ({ engine, id }) => engine.api.updateTicket({ id, subject: "another subject of five words" }),
  get_ticket: ({ engine, id }) => engine.api.getTicket({ id }),
  get_tags: ({ engine }) => engine.api.getTags({}),
  decrypt_secret: ({ engine }) => engine.api.decryptSecret({ id: "held" }),
  "a look for queued work": (on) => claim(on, true),
  "a claim of queued work": (on) => claim(on, false),
  "the end of queued work": ({ storage }) =>
    storage.work.complete([{ id: "w1", kind: "budget", key: null, payload: null, attempts: 0, token: "t" }]),
  async "ten seconds at rest"({ clock }) {
    for (let second = 0; second < 10; second++) {
      await clock.advance(1);
      await atRest();
    }
  },
};

/** Lower a number when it falls; a rise is a cost for everybody and needs a reason in its commit. */
test.each<[string, Asked]>([
  ["create_ticket", { statements: 5, trips: 5 }],
  ["create_ticket with a tag", { statements: 6, trips: 5 }],
  ["update_ticket", { statements: 6, trips: 5 }],
  ["get_ticket", { statements: 3, trips: 2 }],
  ["get_tags", { statements: 0, trips: 0 }],
  ["decrypt_secret", { statements: 6, trips: 5 }],
  ["a look for queued work", { statements: 1, trips: 1 }],
  ["a claim of queued work", { statements: 1, trips: 1 }],
  ["the end of queued work", { statements: 1, trips: 1 }],
  ["ten seconds at rest", { statements: 67, trips: 59 }],
])("%s costs PostgreSQL its budget of statements and trips", async (name, budget) => {
  await atRest();
  counted.take();
  await works[name]?.(opened);
  await atRest();
  expect(counted.take()).toEqual(budget);
});
