import { describe, expect, test } from "vitest";
import { NEXT_KEY, reopenable, SECRET_KEY, setUpSecrets } from "../../../../../test/directory/secret-setup.ts";
import { startEngine } from "../../../../../test/engine.ts";
import { memoryStorage } from "../../../../memory/memory-storage.ts";
import { systemClock } from "../../../../ports/clock.ts";
import { CANARY_ID, canaryCollection, payloadCollection } from "../../collection.ts";

const WRONG =
  "The secret key does not match the stored secrets: start with the key that sealed them, or with that key among the previous ones.";

/** Returns a store written by an engine with the first key. */
async function writtenStore() {
  const storage = reopenable(memoryStorage({ clock: systemClock }));
  await using at = await setUpSecrets({ storage });
  await at.api.createSecret({ id: "a", title: "T", fields: [{ name: "A", value: "1" }] });
  return storage;
}

describe("a start of the engine", () => {
  test("with the key that encrypted the store succeeds", async () => {
    const storage = await writtenStore();
    await using at = await setUpSecrets({ storage });
    expect(await at.api.decryptSecret({ id: "a" })).toEqual({ fields: [{ name: "A", value: "1" }] });
    expect(at.log.lines.filter(({ level }) => level === "warn")).toEqual([]);
  });

  test("with a wrong key is refused in one sentence", async () => {
    const storage = await writtenStore();
    await expect(startEngine({ storage, secretKey: NEXT_KEY })).rejects.toThrow(new Error(WRONG));
  });

  test("with the right key among the previous ones says that a rotation is due", async () => {
    const storage = await writtenStore();
    await using at = await setUpSecrets({ storage, secretKeys: [NEXT_KEY, SECRET_KEY] });
    expect(at.log.lines.filter(({ level }) => level === "warn").map(({ message }) => message)).toEqual([
      "Secrets are sealed with a previous key: a rotation is due and runs now; keep that key until it is done",
    ]);
  });

  test("asks the key provider", async () => {
    const storage = await writtenStore();
    const keyProvider = { keys: async () => [NEXT_KEY] };
    await expect(startEngine({ storage, keyProvider })).rejects.toThrow(WRONG);
    await expect(startEngine({ storage, keyProvider: { keys: async () => [] } })).rejects.toThrow("gave no key");
    await using at = await setUpSecrets({
      storage,
      secretKey: NEXT_KEY,
      keyProvider: { keys: async () => [SECRET_KEY] },
    });
    expect(await at.api.decryptSecret({ id: "a" })).toEqual({ fields: [{ name: "A", value: "1" }] });
  });

  test("with secrets of another system, without a canary, is checked by the secrets", async () => {
    const storage = await writtenStore();
    await storage.write((tx) => tx.collection(canaryCollection).delete(CANARY_ID));
    await expect(startEngine({ storage, secretKey: NEXT_KEY })).rejects.toThrow(WRONG);
    expect(await storage.read((tx) => tx.collection(canaryCollection).list())).toEqual([]);
    await using at = await setUpSecrets({ storage });
    expect(await storage.read((tx) => tx.collection(canaryCollection).list())).toHaveLength(1);
    expect(await at.api.decryptSecret({ id: "a" })).toEqual({ fields: [{ name: "A", value: "1" }] });
  });

  test("with secrets of another system does not fail for a damaged one", async () => {
    const storage = await writtenStore();
    await storage.write(async (tx) => {
      await tx.collection(canaryCollection).delete(CANARY_ID);
      const payload = await tx.collection(payloadCollection).get("a");
      if (payload) await tx.collection(payloadCollection).insert({ ...payload, id: "0" });
    });
    await using engine = await startEngine({ storage });
    expect((await engine.api.getSecrets()).list.length).toBe(1);
  });

  test("with a fresh store derives nothing, and still refuses a wrong key", async () => {
    const storage = reopenable(memoryStorage({ clock: systemClock }));
    {
      await using at = await setUpSecrets({ storage });
      expect(at.cradle.keyRing.held()).toBe(0);
    }
    await expect(startEngine({ storage, secretKey: NEXT_KEY })).rejects.toThrow(WRONG);
    await using again = await setUpSecrets({ storage });
    expect(again.log.lines).toEqual([]);
  });

  test("decrypts the canary, so that another key with the same fingerprint is refused", async () => {
    const storage = await writtenStore();
    {
      await using at = await setUpSecrets({ storage });
      await expect.poll(() => at.cradle.secretRotation.due()).toBe(false);
      expect(await at.activity("notice")).toEqual([]);
    }
    await storage.write((tx) =>
      tx.collection(canaryCollection).update(CANARY_ID, (canary) => {
        if (!canary.seal) throw new Error("The canary is not sealed");
        return { ...canary, seal: { ...canary.seal, tag: Buffer.alloc(16).toString("base64") } };
      }),
    );
    await expect(startEngine({ storage })).rejects.toThrow(WRONG);
  });

  test("of two nodes at once on a new store leaves one canary that both decrypt", async () => {
    const storage = reopenable(memoryStorage({ clock: systemClock }));
    const engines = await Promise.all([startEngine({ storage }), startEngine({ storage })]);
    for (const engine of engines) await engine.stop();
    expect(await storage.read((tx) => tx.collection(canaryCollection).list())).toHaveLength(1);
    await using again = await startEngine({ storage });
    expect((await again.api.getSecrets()).rows).toEqual([]);
  });
});
