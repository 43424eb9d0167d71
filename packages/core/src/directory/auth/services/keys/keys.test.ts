import { describe, expect, test } from "vitest";
import { clientAt } from "../../../../../test/directory/accounts.ts";
import { cradleProbe, refusalOf, startEngine } from "../../../../../test/engine.ts";
import { localClient } from "../../../../kernel/calls/context.ts";
import { apiKeyCollection } from "../../../api-keys/collection.ts";
import { newApiKey } from "../../../api-keys/operations.ts";

const plainOf = (n: number): string => `${String(n).padStart(8, "0")}ABCDEFGHabcdefgh`;
const invalid = { code: "session", description: "Invalid API Key" };

/** Starts an engine with this many keys; `mask` replaces the usual mask. */
async function setUp(count: number, mask?: string) {
  const probe = cradleProbe();
  const engine = await startEngine({ plugins: [probe.plugin] });
  const { gatekeeper, transact } = probe.cradle();
  const records = Array.from({ length: count }, (_, n) => {
    const record = newApiKey({ title: `Key ${n}` }, { id: `k${n}`, plain: plainOf(n), username: "admin", now: 1 });
    return mask === undefined ? record : { ...record, mask };
  });
  await transact(({ tx }) => tx.collection(apiKeyCollection).insertMany(records));
  const ask = async (apiKey: string, ip = "") =>
    gatekeeper.authenticate({ apiKey }, ip === "" ? localClient : clientAt({ ip }));
  return { ...engine, ask, transact };
}

/** CPU time in milliseconds. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe("an unknown key", () => {
  test("costs no more beside three thousand keys than beside three", async () => {
    await using few = await setUp(3);
    await using many = await setUp(3000);
    const unknown = ({ ask }: typeof few) =>
      cpuOf(async () => {
        for (let n = 0; n < 300; n++) expect(await refusalOf(ask(`unknown key of a stranger ${n}`))).toEqual(invalid);
      });
    await unknown(few);
    expect(await unknown(many)).toBeLessThan(3 * (await unknown(few)) + 20);
  });

  test("becomes known with its record, on the next request", async () => {
    await using at = await setUp(3);
    const plain = plainOf(77);
    expect(await refusalOf(at.ask(plain))).toEqual(invalid);
    const record = newApiKey({ title: "Late" }, { id: "klate", plain, username: "admin", now: 1 });
    await at.transact(({ tx }) => tx.collection(apiKeyCollection).insert(record));
    expect((await at.ask(plain)).id).toBe("klate");
  });

  test("is not found by the characters that its mask shows", async () => {
    await using at = await setUp(3);
    const near = plainOf(1).replace("ABCDEFGH", "ABCDxFGH");
    expect(await refusalOf(at.ask(near))).toEqual(invalid);
    expect((await at.ask(plainOf(1))).id).toBe("k1");
  });

  test("longer than any key is refused without being hashed", async () => {
    await using at = await setUp(3);
    const ask = () => refusalOf(at.ask(long));
    const long = "x".repeat(5_000_000);
    const work = await cpuOf(async () => {
      for (let n = 0; n < 10; n++) expect(await ask()).toEqual(invalid);
    });
    expect(work).toBeLessThan(50);
  });
});

test("keys with the same mask are distinguished", async () => {
  await using at = await setUp(3);
  const twins = [plainOf(1).replace("ABCD", "0000"), plainOf(1).replace("ABCD", "1111")];
  for (const [n, plain] of twins.entries()) {
    const record = newApiKey({ title: "Twin" }, { id: `ktwin${n}`, plain, username: "admin", now: 1 });
    await at.transact(({ tx }) => tx.collection(apiKeyCollection).insert(record));
  }
  for (const [n, plain] of twins.entries()) expect((await at.ask(plain)).id).toBe(`ktwin${n}`);
});

test.each(["", "hidden"])("keys of records with the mask %j, which is not ours, work like all others", async (mask) => {
  await using at = await setUp(3, mask);
  for (const n of [0, 1, 2]) expect((await at.ask(plainOf(n))).id).toBe(`k${n}`);
  expect(await refusalOf(at.ask(plainOf(9)))).toEqual(invalid);
  expect(await refusalOf(at.ask(plainOf(9)))).toEqual(invalid);
});

describe("an address that sends unknown keys", () => {
  const tooMany = { code: "rate", description: "Too many unknown API keys.  Please try again later." };
  const STRANGER = "198.51.100.7";

  test("has to wait after sixty, and may send sixty more after a minute", async () => {
    await using at = await setUp(3);
    for (const _round of [1, 2]) {
      for (let n = 0; n < 60; n++) expect(await refusalOf(at.ask(`unknown key ${n}`, STRANGER))).toEqual(invalid);
      expect(await refusalOf(at.ask("unknown key", STRANGER))).toEqual(tooMany);
      await at.clock.advance(60);
    }
  });

  test("can still use known ones, and does not affect others", async () => {
    await using at = await setUp(3);
    for (let n = 0; n < 61; n++) await refusalOf(at.ask("unknown key", STRANGER));
    expect((await at.ask(plainOf(1), STRANGER)).id).toBe("k1");
    expect(await refusalOf(at.ask("unknown key", "198.51.100.8"))).toEqual(invalid);
  });

  test("in process is not counted", async () => {
    await using at = await setUp(3);
    for (let n = 0; n < 100; n++) expect(await refusalOf(at.ask("unknown key"))).toEqual(invalid);
  });
});
