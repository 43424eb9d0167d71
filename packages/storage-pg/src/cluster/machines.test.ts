import { localAgent } from "@signalbox/adapters/local-agent";
import { createSignalbox, defineEvent, memoryBlobStore, silentLogger } from "@signalbox/core";
import { fakeClock } from "@signalbox/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { quickKeys, quickPasswords } from "../../../core/test/engine.ts";
import { lendDatabase } from "../../test/lent-database.ts";
import { pgStorage } from "../index.ts";

const LONG = { timeout: 240_000 };

interface Machine {
  readonly host: string;
  readonly id?: string;
  readonly withFunctions?: boolean;
}

/** Programs on one database that are servers themselves, started one after the other. */
async function machines() {
  const connectionString = await lendDatabase();
  const clock = fakeClock(1_795_253_600);
  const events = [defineEvent({ id: "nightly", title: "Nightly", run: async () => undefined })];
  const start = async ({ host, id, withFunctions = false }: Machine) => {
    const signalbox = createSignalbox({
      storage: pgStorage({ connectionString, clock, log: silentLogger }),
      agents: localAgent({ hostname: host, minuteEverySec: 86_400, quickEverySec: 0, ...(id ? { id } : {}) }),
      ...{ blobs: memoryBlobStore({ clock }), clock, log: silentLogger, secretKey: "EXAMPLE_CLUSTER_KEY" },
      ...{ config: { cluster: { host } }, plugins: [quickKeys, quickPasswords], events: withFunctions ? events : [] },
    });
    await passing(signalbox.start());
    onTestFinished(() => passing(signalbox.stop()));
    return signalbox;
  };
  /** Advances the clock until a promise settles, since the database works in real time. */
  const passing = async <Result>(what: Promise<Result>): Promise<Result> => {
    let isOver = false;
    const over = what.finally(() => {
      isOver = true;
    });
    over.catch(() => undefined);
    const look = async (): Promise<boolean> => {
      await clock.advance(0.1);
      return isOver;
    };
    await expect.poll(look, LONG).toBe(true);
    return over;
  };
  type Program = Awaited<ReturnType<typeof start>>;
  return {
    start,
    stop: (signalbox: Program) => passing(signalbox.stop()),
    /** Hostname by id, of the servers that are connected to any node. */
    async seen({ api }: Program) {
      await clock.advance(0.5);
      return Object.fromEntries((await api.getActiveServers({})).rows.map(({ id, hostname }) => [id, hostname]));
    },
  };
}

test("two machines on one database are two servers, and each is the same one after a restart", async () => {
  const { seen, start, stop } = await machines();
  const one = await start({ host: "one.example.internal" });
  const two = await start({ host: "two.example.internal" });
  const both = { local: "one.example.internal", two_example_internal: "two.example.internal" };
  await expect.poll(() => seen(one), LONG).toEqual(both);
  await stop(one);
  await stop(two);
  // Now the other way round.
  const second = await start({ host: "two.example.internal" });
  await start({ host: "one.example.internal" });
  await expect.poll(() => seen(second), LONG).toEqual(both);
});

test("an id that was given twice stays with the machine that has it", async () => {
  const { seen, start } = await machines();
  const one = await start({ host: "one.example.internal", id: "ops" });
  await start({ host: "two.example.internal", id: "ops" });
  await expect
    .poll(() => seen(one), LONG)
    .toEqual({ ops: "one.example.internal", two_example_internal: "two.example.internal" });
});

test("a single machine keeps its id under a new name", async () => {
  const { seen, start, stop } = await machines();
  const one = await start({ host: "one.example.internal" });
  await expect.poll(() => seen(one), LONG).toEqual({ local: "one.example.internal" });
  await stop(one);
  const renamed = await start({ host: "renamed.example.internal" });
  await expect.poll(() => seen(renamed), LONG).toEqual({ local: "renamed.example.internal" });
});

test("programs with functions of their own are one server, so that these run on any of them", async () => {
  const { seen, start } = await machines();
  const one = await start({ host: "one.example.internal", withFunctions: true });
  const two = await start({ host: "two.example.internal", withFunctions: true });
  await expect.poll(async () => Object.keys(await seen(two)), LONG).toEqual(["local"]);
  expect(Object.keys(await seen(one))).toEqual(["local"]);
});
