import { describe, expect, test } from "vitest";
import { NEXT_KEY, reopenable, SECRET_KEY, setUpSecrets } from "../../../../../test/directory/secret-setup.ts";
import { startEngine } from "../../../../../test/engine.ts";
import { memoryStorage } from "../../../../memory/memory-storage.ts";
import { systemClock } from "../../../../ports/clock.ts";
import type { Storage } from "../../../../ports/storage/storage.ts";
import { CANARY_ID, canaryCollection, payloadCollection, secretCollection } from "../../collection.ts";
import { keyFingerprint } from "../../rules/fingerprint.ts";
import { newSecret } from "../../rules/record.ts";

const OLD = keyFingerprint(SECRET_KEY);
const NEW = keyFingerprint(NEXT_KEY);
/** More than one step of twenty records. */
const SECRETS = 21;

const idOf = (index: number) => `s${String(index).padStart(3, "0")}`;
const fieldsOf = (id: string) => [{ name: "VALUE", value: `value of ${id}` }];

/** A store with secrets sealed under the first key, as a stopped engine leaves it. */
async function storeOf(count: number): Promise<Storage> {
  const storage = reopenable(memoryStorage({ clock: systemClock }));
  await using at = await setUpSecrets({ storage });
  for (let index = 0; index < count; index++) {
    const id = idOf(index);
    const payload = await at.cradle.sealer.seal(id, fieldsOf(id));
    await at.transact(async ({ tx }) => {
      const input = { title: id, fields: fieldsOf(id), events: ["e1"] };
      await tx.collection(secretCollection).insert(newSecret(input, { id, username: "joe", now: 1 }));
      await tx.collection(payloadCollection).insert(payload);
    });
  }
  return storage;
}

/** An engine with a new current key. Its own rotation loop never leads, so the tests run the rotation themselves. */
const withBothKeys = (storage: Storage) =>
  setUpSecrets({
    storage: {
      ...storage,
      coordination: { ...storage.coordination, lead: () => ({ [Symbol.dispose]: () => undefined }) },
    },
    secretKeys: [NEXT_KEY, SECRET_KEY],
  });

const fingerprintsOf = (storage: Storage) =>
  storage.read(async (tx) => ({
    secrets: (await tx.collection(payloadCollection).list()).map(({ fp }) => fp),
    canary: (await tx.collection(canaryCollection).get(CANARY_ID))?.fp,
  }));

const repeat = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe("the online rotation", () => {
  test("encrypts everything with the current key while reads continue, and none of them fails", {
    timeout: 240_000,
  }, async () => {
    const storage = await storeOf(SECRETS);
    await using at = await withBothKeys(storage);
    let reading = true;
    let reads = 0;
    const readers = [0, 1, 2].map(async (offset) => {
      for (let index = offset; reading; index = (index + 1) % SECRETS) {
        const id = idOf(index);
        expect(await at.api.decryptSecret({ id })).toEqual({ fields: fieldsOf(id) });
        reads += 1;
      }
    });
    const report = await at.cradle.secretRotation.run();
    reading = false;
    await Promise.all(readers);
    expect(report).toEqual({ finished: true, resealed: SECRETS, unopened: [] });
    expect(reads).toBeGreaterThan(0);
    expect(await fingerprintsOf(storage)).toEqual({ secrets: repeat(SECRETS, NEW), canary: NEW });
  });

  test("is reported once, wipes derived keys, and changes no metadata", async () => {
    const storage = await storeOf(2);
    await using at = await withBothKeys(storage);
    const before = await at.api.getSecrets();
    expect(await at.cradle.secretRotation.due()).toBe(true);
    const told: unknown[] = [];
    at.events.on("secrets.rotated", (payload) => void told.push(payload));
    await at.cradle.secretRotation.run();
    expect(at.cradle.keyRing.held()).toBe(0);
    expect(await at.cradle.secretRotation.due()).toBe(false);
    expect(await at.cradle.secretRotation.run()).toEqual({ finished: true, resealed: 0, unopened: [] });
    expect(told).toEqual([{ secrets: 2 }]);
    expect(await at.activity("notice")).toMatchObject([
      { username: "system", description: "Secret key rotated: 2 secrets" },
    ]);
    expect(at.log.lines.map(({ message }) => message)).toContain(
      "Secrets are sealed with the current key; previous keys are not needed any more",
    );
    expect(await at.api.getSecrets()).toEqual(before);
  });

  test("makes the previous key useless: a start succeeds without it and is refused with it alone", async () => {
    const storage = await storeOf(2);
    await using at = await withBothKeys(storage);
    await at.cradle.secretRotation.run();
    await expect(startEngine({ storage })).rejects.toThrow("The secret key does not match the stored secrets");
    await using later = await startEngine({ storage, secretKey: NEXT_KEY });
    expect(await later.api.decryptSecret({ id: idOf(1) })).toEqual({ fields: fieldsOf(idOf(1)) });
  });

  test("is run by the loop of the leader without being requested", async () => {
    const storage = await storeOf(1);
    await using at = await setUpSecrets({
      storage,
      secretKeys: [NEXT_KEY, SECRET_KEY],
    });
    await expect.poll(() => at.cradle.secretRotation.due()).toBe(false);
    expect(await fingerprintsOf(storage)).toEqual({ secrets: [NEW], canary: NEW });
  });

  test("asks the provider for its keys again, so that a key may change without a restart", async () => {
    const storage = await storeOf(1);
    let keys = [SECRET_KEY];
    await using at = await setUpSecrets({ storage, keyProvider: { keys: async () => keys } });
    keys = [NEXT_KEY, SECRET_KEY];
    expect(await at.cradle.secretRotation.run()).toEqual({ finished: true, resealed: 1, unopened: [] });
    expect(await fingerprintsOf(storage)).toEqual({ secrets: [NEW], canary: NEW });
  });

  test("is refused with keys of which none encrypted the store, and keeps the former ones", async () => {
    const storage = await storeOf(1);
    let keys = [SECRET_KEY];
    await using at = await setUpSecrets({ storage, keyProvider: { keys: async () => keys } });
    keys = [NEXT_KEY];
    await expect(at.cradle.secretRotation.run()).rejects.toThrow("The secret key does not match the stored secrets");
    expect(await at.activity("notice")).toEqual([]);
    await using later = await setUpSecrets({ storage });
    expect(await later.api.decryptSecret({ id: idOf(0) })).toEqual({ fields: fieldsOf(idOf(0)) });
  });

  test("never overwrites a change that came in between", async () => {
    const storage = await storeOf(3);
    await using at = await withBothKeys(storage);
    const { sealer } = at.cradle;
    const seal = sealer.seal;
    const changed = [{ name: "VALUE", value: "changed meanwhile" }];
    let first = true;
    sealer.seal = async (id, fields) => {
      const sealed = await seal(id, fields);
      if (!first) return sealed;
      first = false;
      await at.api.updateSecret({ id: idOf(0), fields: changed });
      await at.api.deleteSecret({ id: idOf(1) });
      return sealed;
    };
    const report = await at.cradle.secretRotation.run();
    expect(report).toEqual({ finished: true, resealed: 1, unopened: [] });
    expect(await at.api.decryptSecret({ id: idOf(0) })).toEqual({ fields: changed });
    expect(await at.payload(idOf(1))).toBeUndefined();
    expect(await at.api.decryptSecret({ id: idOf(2) })).toEqual({ fields: fieldsOf(idOf(2)) });
  });

  test("does not finish while a node with the previous key still writes, but the next time", async () => {
    const storage = await storeOf(1);
    await using at = await withBothKeys(storage);
    await using other = await setUpSecrets({
      storage,
      secretKeys: [SECRET_KEY, NEXT_KEY],
    });
    const { sealer } = at.cradle;
    const seal = sealer.seal;
    sealer.seal = async (id, fields) => {
      const sealed = await seal(id, fields);
      if (id === CANARY_ID) {
        sealer.seal = seal;
        await other.api.updateSecret({ id: idOf(0), fields: fieldsOf("other") });
      }
      return sealed;
    };
    expect(await at.cradle.secretRotation.run()).toMatchObject({ finished: false });
    expect(await fingerprintsOf(storage)).toEqual({ secrets: [OLD], canary: OLD });
    expect(await at.cradle.secretRotation.run()).toMatchObject({ finished: true });
    expect(await fingerprintsOf(storage)).toEqual({ secrets: [NEW], canary: NEW });
  });

  test("reports once a secret that no key decrypts, and finishes without it", async () => {
    const storage = await storeOf(2);
    await using at = await withBothKeys(storage);
    await at.damage(idOf(0), { tag: Buffer.alloc(16).toString("base64") });
    expect(await at.cradle.secretRotation.run()).toEqual({ finished: true, resealed: 1, unopened: [idOf(0)] });
    expect(await at.cradle.secretRotation.due()).toBe(false);
    expect(await at.activity("notice")).toMatchObject([{ description: "Secret key rotated: 1 secrets" }]);
    expect(at.log.lines.filter(({ level }) => level === "error")).toMatchObject([
      { fields: { secret: idOf(0), fault: "authentication" } },
    ]);
  });

  test("includes records of other systems, which do not name their key", async () => {
    const storage = await storeOf(1);
    await using at = await withBothKeys(storage);
    await at.transact(({ tx }) =>
      tx.collection(payloadCollection).update(idOf(0), ({ fp: _fp, ...foreign }) => foreign),
    );
    expect(await at.cradle.secretRotation.run()).toMatchObject({ finished: true, resealed: 1 });
    expect(await fingerprintsOf(storage)).toEqual({ secrets: [NEW], canary: NEW });
  });

  test("stops between records when it is told to, and continues later", async () => {
    const storage = await storeOf(2);
    await using at = await withBothKeys(storage);
    const stopping = new AbortController();
    const { sealer } = at.cradle;
    const seal = sealer.seal;
    sealer.seal = (id, fields) => {
      stopping.abort();
      return seal(id, fields);
    };
    expect(await at.cradle.secretRotation.run(stopping.signal)).toEqual({ finished: false, resealed: 1, unopened: [] });
    sealer.seal = seal;
    expect(await at.cradle.secretRotation.run()).toEqual({ finished: true, resealed: 1, unopened: [] });
  });
});

type Death = "before the commit" | "after the commit";

/** A storage whose next write kills the process, before or after its commit. */
function dying(inner: Storage) {
  let death: Death | undefined;
  const storage: Storage = {
    ...inner,
    async write(work) {
      if (death === "before the commit") throw new Error("killed");
      const result = await inner.write(work);
      if (death === "after the commit") throw new Error("killed");
      return result;
    },
  };
  return {
    storage,
    die(how: Death) {
      death = how;
    },
  };
}

test("a rotation killed at any of its writes leaves every value readable and is finished by a later one", {
  timeout: 240_000,
}, async () => {
  // The last write stores the canary.
  const count = SECRETS;
  const storage = await storeOf(count);
  const kills: readonly [Death, number][] = [
    ["before the commit", 0],
    ["after the commit", 20],
    ["before the commit", 20],
    ["after the commit", 21],
    ["before the commit", 21],
  ];
  for (const [how, sealedAnew] of kills) {
    const { storage: last, die } = dying(storage);
    await using at = await withBothKeys(last);
    die(how);
    await expect(at.cradle.secretRotation.run()).rejects.toThrow("killed");
    const { secrets, canary } = await fingerprintsOf(storage);
    expect([secrets.filter((fp) => fp === NEW).length, canary]).toEqual([sealedAnew, OLD]);
    await using reader = await withBothKeys(storage);
    for (const id of [idOf(0), idOf(19), idOf(20)])
      expect(await reader.api.decryptSecret({ id })).toEqual({ fields: fieldsOf(id) });
  }
  await using at = await withBothKeys(storage);
  expect(await at.cradle.secretRotation.run()).toEqual({ finished: true, resealed: 0, unopened: [] });
  expect(await fingerprintsOf(storage)).toEqual({ secrets: repeat(count, NEW), canary: NEW });
  expect(await at.activity("notice")).toMatchObject([{ description: `Secret key rotated: ${count} secrets` }]);
});
