import { describe, expect, test } from "vitest";
import { NEXT_KEY, reopenable, SECRET_KEY, setUpSecrets } from "../../../test/directory/secret-setup.ts";
import { START } from "../../../test/engine.ts";
import { keyFingerprint } from "../../directory/secrets/rules/fingerprint.ts";
import { sha256Hex } from "../../lib/secrecy/hash.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { systemClock } from "../../ports/clock.ts";
import type { Storage } from "../../ports/storage/storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";

/** A key store that fails on demand: before it has stored the keys, after that, or by losing them. */
function keyStore(first: readonly string[] = [SECRET_KEY]) {
  let kept = first;
  let fault: "before" | "after" | "forgetful" | undefined;
  return {
    kept: () => kept,
    fail: (how: typeof fault) => {
      fault = how;
    },
    keys: async () => kept,
    async keep(keys: readonly string[]) {
      if (fault === "before") throw new Error("The disk is full");
      if (fault !== "forgetful") kept = keys;
      if (fault === "after") throw new Error("killed");
    },
  };
}

const FIELDS = [{ name: "TOKEN", value: "a value that nobody logs" }];

async function setUp(storage: Storage, keyProvider = keyStore()) {
  const at = await setUpSecrets({ storage, keyProvider, clock: fakeClock(START) });
  const job = (signal = new AbortController().signal) => ({
    ...{ id: "i1", signal, progress: () => undefined, stat: () => undefined },
    reports: [] as string[],
    report(markdown: string) {
      this.reports.push(markdown);
    },
  });
  return { ...at, job, keyProvider, rotate: () => at.cradle.keyRotation.run(job()) };
}

const stored = () => reopenable(memoryStorage({ clock: systemClock }));

describe("a rotation of the secret key while the engine runs", () => {
  test("puts a random key before the former one, and encrypts and signs with it from then on", async () => {
    await using at = await setUp(stored());
    const { secret } = await at.api.createSecret({ title: "s", fields: FIELDS });
    await at.rotate();
    const [key = "", former, ...rest] = at.keyProvider.kept();
    expect(key).toMatch(/^[\w-]{43}$/);
    expect([former, rest]).toEqual([SECRET_KEY, []]);
    expect((await at.payload(secret.id))?.fp).toBe(keyFingerprint(key));
    expect(await at.api.decryptSecret({ id: secret.id })).toEqual({ fields: FIELDS });
    expect(at.cradle.agentKeys.serverToken("s1")).toBe(sha256Hex(`s1${key}`));
    expect(at.cradle.agentKeys.isOfServer(sha256Hex(`s1${SECRET_KEY}`), "s1")).toBe(true);
    at.clock.step(24 * 3600);
    expect(at.cradle.agentKeys.isOfServer(sha256Hex(`s1${SECRET_KEY}`), "s1")).toBe(false);
  });

  test("leaves the scheduler off and says so; reports, log and activity hold no key", async () => {
    await using at = await setUp(stored());
    await at.api.createSecret({ title: "s", fields: FIELDS });
    const job = at.job();
    await at.cradle.keyRotation.run(job);
    expect(await at.api.getGlobalState()).toMatchObject({ state: { scheduler: { enabled: false } } });
    expect(job.reports.join()).toContain("1 secrets were sealed anew");
    expect(job.reports.join()).toContain("The scheduler is switched off");
    const rows = await Promise.all(["notice", "state_update", "internal_job"].map((action) => at.activity(action)));
    const told = JSON.stringify([job.reports, at.log.lines, rows]);
    for (const secret of [...at.keyProvider.kept(), "a value that nobody logs"]) expect(told).not.toContain(secret);
  });

  test("drops the oldest key at a second rotation", async () => {
    await using at = await setUp(stored());
    await at.api.createSecret({ title: "s", fields: FIELDS });
    await at.rotate();
    const [second] = at.keyProvider.kept();
    await at.rotate();
    expect(at.keyProvider.kept()).toEqual([expect.any(String), second]);
    expect(at.keyProvider.kept()).not.toContain(SECRET_KEY);
  });

  test("first ends an earlier rotation that was interrupted", async () => {
    const storage = stored();
    {
      await using at = await setUp(storage);
      await at.api.createSecret({ id: "s1", title: "s", fields: FIELDS });
    }
    await using at = await setUp(storage, keyStore([NEXT_KEY, SECRET_KEY]));
    await at.rotate();
    const [third = "", former] = at.keyProvider.kept();
    expect(former).toBe(NEXT_KEY);
    expect((await at.payload("s1"))?.fp).toBe(keyFingerprint(third));
    expect(await at.api.decryptSecret({ id: "s1" })).toEqual({ fields: FIELDS });
  });

  test("does not begin while another node runs one", async () => {
    await using at = await setUp(stored());
    await at.transact(({ tx }) => at.cradle.state.set(tx, "secrets.key_change_until", START + 60));
    await expect(at.rotate()).rejects.toThrow("The last change of the secret key has not ended yet");
    expect(at.keyProvider.kept()).toEqual([SECRET_KEY]);
    at.clock.step(61);
    await at.rotate();
    expect(at.keyProvider.kept()).toHaveLength(2);
  });
});

describe("a rotation loses no value", () => {
  test.each([
    ["the store refuses the key", "before", "The disk is full"],
    ["the process dies when the store has it", "after", "killed"],
    ["the store loses the key", "forgetful", "did not keep the new key"],
  ] as const)("when %s", async (_name, how, message) => {
    const storage = stored();
    const keys = keyStore();
    {
      await using at = await setUp(storage, keys);
      await at.api.createSecret({ id: "s1", title: "s", fields: FIELDS });
      keys.fail(how);
      await expect(at.rotate()).rejects.toThrow(message);
      expect(await at.api.decryptSecret({ id: "s1" })).toEqual({ fields: FIELDS });
    }
    keys.fail(undefined);
    await using later = await setUp(storage, keys);
    await expect.poll(() => later.cradle.secretRotation.due()).toBe(false);
    expect(await later.api.decryptSecret({ id: "s1" })).toEqual({ fields: FIELDS });
    expect((await later.payload("s1"))?.fp).toBe(keyFingerprint(keys.kept()[0] ?? ""));
  });

  test("can begin again as soon as a killed rotation has been ended", async () => {
    const storage = stored();
    const keys = keyStore();
    {
      await using at = await setUp(storage, keys);
      await at.api.createSecret({ id: "s1", title: "s", fields: FIELDS });
      keys.fail("after");
      await expect(at.rotate()).rejects.toThrow("killed");
    }
    keys.fail(undefined);
    const [second] = keys.kept();
    await using later = await setUp(storage, keys);
    await later.rotate();
    expect(keys.kept()).toEqual([expect.any(String), second]);
    expect(await later.api.decryptSecret({ id: "s1" })).toEqual({ fields: FIELDS });
  });

  test("reaches another node, which reads with the new key at once and encrypts with it after a minute", async () => {
    const storage = stored();
    const keys = keyStore();
    await using one = await setUp(storage, keys);
    await using two = await setUp(storage, keys);
    await one.api.createSecret({ id: "s1", title: "s", fields: FIELDS });
    await one.rotate();
    const { sealer, keyRing } = two.cradle;
    expect(keyRing.current()).toBe(keyFingerprint(SECRET_KEY));
    await two.clock.advance(2);
    const payload = await one.payload("s1");
    expect(payload && (await sealer.open("s1", payload))).toEqual(FIELDS);
    expect(keyRing.current()).toBe(keyFingerprint(keys.kept()[0] ?? ""));
    await expect.poll(() => two.cradle.agentKeys.serverToken("s")).toBe(sha256Hex(`s${keys.kept()[0]}`));
  });

  test("is refused by one of two nodes that are asked at once", async () => {
    const storage = stored();
    const keys = keyStore();
    await using one = await setUp(storage, keys);
    await using two = await setUp(storage, keys);
    await one.api.createSecret({ id: "s1", title: "s", fields: FIELDS });
    const ends = await Promise.allSettled([one.cradle.keyChange.next(), two.cradle.keyChange.next()]);
    expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await one.cradle.secretRotation.run();
    expect(await one.api.decryptSecret({ id: "s1" })).toEqual({ fields: FIELDS });
  });
});
