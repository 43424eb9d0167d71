import { describe, expect, test } from "vitest";
import { NEXT_KEY, reopenable, SECRET_KEY, setUpSecrets } from "../test/directory/secret-setup.ts";
import { startEngine, usualKeys } from "../test/engine.ts";
import { activityCollection } from "./directory/activity/collection.ts";
import { CANARY_ID, canaryCollection, payloadCollection, secretCollection } from "./directory/secrets/collection.ts";
import type { SecretPayload } from "./directory/secrets/model.ts";
import { builtins } from "./engine/builtins.ts";
import { createRegistry } from "./kernel/calls/registry.ts";
import { memoryStorage } from "./memory/memory-storage.ts";
import { systemClock } from "./ports/clock.ts";
import type { AnyCollection } from "./ports/storage/collection.ts";
import type { Storage } from "./ports/storage/storage.ts";
import { rotateSecretKey } from "./rotate-secret-key.ts";

const IDS = ["a", "b", "c"];
const fieldsOf = (id: string) => [{ name: "VALUE", value: `planted ${id}` }];

const COLLECTIONS = [canaryCollection, payloadCollection, secretCollection] as const;

/** The records of secrets that an engine leaves. Made once: sealing takes as long as the rest of a test. */
let sealed: Promise<readonly (readonly { readonly id: string }[])[]> | undefined;
async function seal() {
  const storage = reopenable(memoryStorage({ clock: systemClock }));
  await using at = await setUpSecrets({ storage, plugins: [usualKeys] });
  for (const id of IDS) await at.api.createSecret({ id, title: id, fields: fieldsOf(id) });
  return storage.read((tx) => Promise.all(COLLECTIONS.map((each) => tx.collection(each as AnyCollection).list())));
}

async function stoppedStore() {
  sealed ??= seal();
  const records = await sealed;
  const storage = reopenable(memoryStorage({ clock: systemClock }));
  await storage.open(createRegistry([...builtins]).collections);
  await storage.write(async (tx) => {
    for (const [at, each] of COLLECTIONS.entries())
      await tx.collection(each as AnyCollection).insertMany(records[at] ?? []);
  });
  return storage;
}

const payloadsOf = (storage: Storage) => storage.read((tx) => tx.collection(payloadCollection).list());
const noticesOf = (storage: Storage) =>
  storage.read(async (tx) =>
    (await tx.collection(activityCollection).list()).filter(({ action }) => action === "notice"),
  );

async function readAll(storage: Storage, secretKey: string) {
  await using engine = await startEngine({ storage, plugins: [usualKeys], secretKey });
  for (const id of IDS) expect(await engine.api.decryptSecret({ id })).toEqual({ fields: fieldsOf(id) });
}

const rotation = (storage: Storage) => ({ storage, oldKey: SECRET_KEY, newKey: NEXT_KEY });

describe("rotateSecretKey", () => {
  test("encrypts everything with the new key: the old one is refused afterwards", async () => {
    const storage = await stoppedStore();
    expect(await rotateSecretKey(rotation(storage))).toEqual({ secrets: 3, resealed: 3 });
    await readAll(storage, NEXT_KEY);
    await expect(startEngine({ storage, plugins: [usualKeys] })).rejects.toThrow(
      "The secret key does not match the stored secrets",
    );
  });

  test("leaves one row without keys, and the metadata unchanged", async () => {
    const storage = await stoppedStore();
    await rotateSecretKey(rotation(storage));
    const notices = await noticesOf(storage);
    expect(notices).toMatchObject([{ username: "system", description: "Secret key rotated: 3 secrets" }]);
    expect(JSON.stringify(notices)).not.toMatch(/correct horse|the key that comes/);
    await using engine = await startEngine({ storage, plugins: [usualKeys], secretKey: NEXT_KEY });
    expect((await engine.api.getSecret({ id: "a" })).secret).toMatchObject({
      title: "a",
      names: ["VALUE"],
      revision: 1,
    });
  });

  test("can be tried without writing anything", async () => {
    const storage = await stoppedStore();
    const before = await payloadsOf(storage);
    expect(await rotateSecretKey({ ...rotation(storage), dryRun: true })).toEqual({ secrets: 3, resealed: 3 });
    expect(await payloadsOf(storage)).toEqual(before);
    expect(await noticesOf(storage)).toEqual([]);
    await readAll(storage, SECRET_KEY);
  });

  test("can be repeated, and leaves alone secrets encrypted with the new key already", async () => {
    const storage = await stoppedStore();
    await rotateSecretKey(rotation(storage));
    const sealed = await payloadsOf(storage);
    expect(await rotateSecretKey(rotation(storage))).toEqual({ secrets: 3, resealed: 0 });
    expect(await payloadsOf(storage)).toEqual(sealed);
  });

  test.each([true, false])(
    "stops at the first secret that cannot be decrypted and changes nothing (dry run: %s)",
    async (dryRun) => {
      const storage = await stoppedStore();
      const tag = Buffer.alloc(16).toString("base64");
      await storage.write((tx) => tx.collection(payloadCollection).update("b", (stored) => ({ ...stored, tag })));
      const before = await payloadsOf(storage);
      await expect(rotateSecretKey({ ...rotation(storage), dryRun })).rejects.toThrow(
        "Secret b opens with neither key; nothing was changed",
      );
      expect(await payloadsOf(storage)).toEqual(before);
    },
  );

  test("refuses a wrong old key, also when there is no secret yet", async () => {
    const storage = await stoppedStore();
    const wrong = { ...rotation(storage), oldKey: "another key altogether" };
    await expect(rotateSecretKey(wrong)).rejects.toThrow("The canary record opens with neither key");
    await storage.write(async (tx) => {
      await tx.collection(canaryCollection).delete(CANARY_ID);
    });
    await expect(rotateSecretKey(wrong)).rejects.toThrow("Secret a opens with neither key");
    await expect(rotateSecretKey({ ...wrong, newKey: "short" })).rejects.toThrow("at least 16 characters");
  });

  test("commits nothing when a secret changes meanwhile", async () => {
    const storage = await stoppedStore();
    const meddling: Storage = {
      ...storage,
      async write(work) {
        await storage.write((tx) =>
          tx.collection(payloadCollection).update("c", (stored) => ({ ...stored, iv: "AAAAAAAAAAAAAAAA" })),
        );
        return storage.write(work);
      },
    };
    await expect(rotateSecretKey(rotation(meddling))).rejects.toThrow("Secrets were changed during the rotation");
    expect(new Set((await payloadsOf(storage)).map(({ fp }) => fp)).size).toBe(1);
    expect(await noticesOf(storage)).toEqual([]);
  });

  test("reads its writes back before it commits", async () => {
    const storage = await stoppedStore();
    const before = await payloadsOf(storage);
    const forgetful: Storage = {
      ...storage,
      write: (work) =>
        storage.write((tx) =>
          work({
            ...tx,
            collection(definition) {
              const inner = tx.collection(definition);
              if (definition.name !== payloadCollection.name) return inner;
              const broken = (record: unknown) => ({
                ...(record as SecretPayload),
                tag: Buffer.alloc(16).toString("base64"),
              });
              return {
                ...inner,
                update: (id, change) => inner.update(id, (stored) => broken(change(stored)) as never),
              };
            },
          }),
        ),
    };
    await expect(rotateSecretKey(rotation(forgetful))).rejects.toThrow("The sealed record cannot be opened");
    expect(await payloadsOf(storage)).toEqual(before);
  });
});
