import { describe, expect, test } from "vitest";
import { parseConfig } from "../../../../engine/config.ts";
import { systemRandom } from "../../../../ports/random.ts";
import { fakeClock } from "../../../../testing/fake-clock.ts";
import { keyFingerprint } from "../../rules/fingerprint.ts";
import { createSealer } from "../sealer.ts";
import { createKeyRing } from "./key-ring.ts";

const [CURRENT, PREVIOUS] = ["the current key of this test", "the previous key of this test"];

async function setUp(keys: readonly string[] = [CURRENT, PREVIOUS], secrets: object = {}) {
  const clock = fakeClock();
  const config = parseConfig({ secrets });
  const keyRing = createKeyRing({
    keyProvider: { keys: async () => keys },
    keyCosts: { N: 256, r: 8, p: 1 },
    clock,
    config,
  });
  await keyRing.load();
  const salt = Buffer.alloc(16, 7);
  const which = { fingerprint: keyFingerprint(CURRENT), salt, secret: "z1" };
  return { clock, config, keyRing, which, sealer: createSealer({ keyRing, random: systemRandom() }) };
}

const hexOf = (key: Buffer) => key.toString("hex");

describe("the secret keys", () => {
  test("are distinguished by the first eight digits of a hash", () => {
    expect(keyFingerprint("correct horse battery staple")).toBe("e350e477");
  });

  test("encrypt with the first one, and all are candidates for a record without a fingerprint", async () => {
    const { keyRing } = await setUp();
    const [current, previous] = [keyFingerprint(CURRENT), keyFingerprint(PREVIOUS)];
    expect(keyRing.current()).toBe(current);
    expect(keyRing.candidates(undefined)).toEqual([current, previous]);
    expect(keyRing.candidates(previous)).toEqual([previous]);
    expect(keyRing.candidates("00000000")).toEqual([]);
  });

  test.each<[string, readonly string[], string]>([
    ["none", [], "The key provider gave no key"],
    ["a short one", [CURRENT, "short"], "A key that seals secrets must have at least 16 characters"],
  ])("must not be %s", async (_name, keys, message) => {
    await expect(setUp(keys)).rejects.toThrow(message);
  });
});

describe("a derived key", () => {
  test("is derived once for all concurrent callers, and found later", async () => {
    const { keyRing, which } = await setUp();
    const together = await Promise.all(Array.from({ length: 20 }, () => keyRing.withKey(which, (key) => hexOf(key))));
    expect(new Set(together).size).toBe(1);
    expect(keyRing.held()).toBe(1);
    let before = true;
    const later = keyRing.withKey(which, (key) => {
      expect(before).toBe(true);
      return hexOf(key);
    });
    before = false;
    expect(await later).toBe(together[0]);
  });

  test("differs for another salt or another key", async () => {
    const { keyRing, which } = await setUp();
    const others = [which, { ...which, salt: Buffer.alloc(16) }, { ...which, fingerprint: keyFingerprint(PREVIOUS) }];
    const keys = await Promise.all(others.map((other) => keyRing.withKey(other, hexOf)));
    expect(new Set(keys).size).toBe(3);
  });

  test("is overwritten after its last use", async () => {
    const { keyRing, which } = await setUp(undefined, { cache_derived_keys: false });
    const held: Buffer[] = [];
    await Promise.all([1, 2].map(() => keyRing.withKey(which, (key) => void held.push(key))));
    expect(keyRing.held()).toBe(0);
    expect(held).toHaveLength(2);
    expect(held.every((key) => key.every((byte) => byte === 0))).toBe(true);
  });

  test("is used but not kept if a wipe comes in between", async () => {
    const { keyRing, which } = await setUp();
    const running = keyRing.withKey(which, hexOf);
    keyRing.wipe();
    expect(await running).toHaveLength(64);
    expect(keyRing.held()).toBe(0);
  });

  test("is kept only while the configuration says so", async () => {
    const { config, keyRing, which } = await setUp();
    await keyRing.withKey(which, hexOf);
    config.secrets.cache_derived_keys = false;
    keyRing.sweep();
    expect(keyRing.held()).toBe(0);
    await keyRing.withKey(which, hexOf);
    expect(keyRing.held()).toBe(0);
    config.secrets.cache_derived_keys = true;
    await keyRing.withKey(which, hexOf);
    expect(keyRing.held()).toBe(1);
  });

  test("is not kept after the end", async () => {
    const { keyRing, which } = await setUp();
    await keyRing.withKey(which, hexOf);
    keyRing.close();
    expect(keyRing.held()).toBe(0);
    expect(await keyRing.withKey(which, hexOf)).toHaveLength(64);
    expect(keyRing.held()).toBe(0);
  });

  test("from an unknown key is refused, every time", async () => {
    const { keyRing, which } = await setUp();
    for (const _again of [1, 2])
      await expect(keyRing.withKey({ ...which, fingerprint: "00000000" }, hexOf)).rejects.toThrow("no such key");
  });
});

describe("encrypted records", () => {
  const fields = [{ name: "A", value: "planted" }];

  test("have the fingerprint of the current key and never the same salt or iv", async () => {
    const { sealer } = await setUp();
    const records = await Promise.all(Array.from({ length: 8 }, () => sealer.seal("z1", fields)));
    expect(new Set(records.map(({ salt }) => salt)).size).toBe(8);
    expect(new Set(records.map(({ iv }) => iv)).size).toBe(8);
    expect(records[0]).toMatchObject({ id: "z1", v: 1, alg: "aes-256-gcm", fp: keyFingerprint(CURRENT) });
  });

  test("of a previous key can be decrypted, with and without its fingerprint", async () => {
    const { sealer: former } = await setUp([PREVIOUS]);
    const record = await former.seal("z1", fields);
    const { sealer } = await setUp();
    expect(await sealer.open(record.id, record)).toEqual(fields);
    const { fp: _fp, ...foreign } = record;
    expect(await sealer.open(foreign.id, foreign)).toEqual(fields);
  });

  test("of an unknown key are refused without deriving anything", async () => {
    const { sealer: stranger } = await setUp(["somebody else's key altogether"]);
    const record = await stranger.seal("z1", fields);
    const { sealer, keyRing } = await setUp();
    await expect(sealer.open(record.id, record)).rejects.toMatchObject({ name: "SealError", fault: "key" });
    expect(keyRing.held()).toBe(0);
    const { fp: _fp, ...foreign } = record;
    await expect(sealer.open(foreign.id, foreign)).rejects.toMatchObject({
      name: "SealError",
      fault: "authentication",
    });
  });

  test("of a wrong shape are refused without deriving anything", async () => {
    const { sealer } = await setUp();
    const record = await sealer.seal("z1", fields);
    const { sealer: other, keyRing } = await setUp();
    for (const bad of [{ tag: "AAAA" }, { alg: "none" }, { salt: "" }, { iv: "" }])
      await expect(other.open("z1", { ...record, ...bad })).rejects.toMatchObject({ name: "SealError" });
    expect(keyRing.held()).toBe(0);
  });

  test("swapped between records are refused", async () => {
    const { sealer } = await setUp();
    const [a, b] = await Promise.all([sealer.seal("z1", fields), sealer.seal("z2", fields)]);
    await expect(sealer.open("z2", { ...a, id: "z2" })).rejects.toMatchObject({ fault: "authentication" });
    await expect(sealer.open("z1", { ...b, id: "z1" })).rejects.toMatchObject({ fault: "authentication" });
    await expect(sealer.open("z2", a)).rejects.toMatchObject({ fault: "identity" });
  });

  test("decrypt to the same with and without keeping derived keys", async () => {
    const { sealer } = await setUp();
    const { sealer: keepless } = await setUp(undefined, { cache_derived_keys: false });
    const record = await sealer.seal("z1", fields);
    for (const _again of [1, 2])
      expect(await keepless.open(record.id, record)).toEqual(await sealer.open(record.id, record));
  });
});
