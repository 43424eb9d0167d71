import { createCipheriv, scryptSync } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codePoint } from "../../../../test/code-point.ts";
import { isSameSeal, open, readSealed, SealError, type Sealed, seal } from "./crypto.ts";

const PASSPHRASE = "correct horse battery staple";
const id = "zexample0001";
const salt = Buffer.from("000102030405060708090a0b0c0d0e0f", "hex");
const iv = Buffer.from("101112131415161718191a1b", "hex");
const key = scryptSync(PASSPHRASE, salt, 32, { N: 16_384, r: 8, p: 1 });
const fields = [
  { name: "DB_HOST", value: "db.internal" },
  { name: "DB_PASS", value: 'p@ss"w0rdé' },
];
const vector: Sealed = {
  v: 1,
  alg: "aes-256-gcm",
  salt: "AAECAwQFBgcICQoLDA0ODw==",
  iv: "EBESExQVFhcYGRob",
  tag: "DclkvRa+rK76TDYqdaUy7g==",
  ct: "GF2uHLzn66yRmniDVWT888GkAU0YxCicHUjn0QXriPe/Vlg2ibfzOX3Pp6UIfSqT9tdWaHfLsq4cw1YbpSvUBvElpe0sWKZ/BGCahL9QoJX8sZV4",
};

const faultOf = (act: () => unknown): string | undefined => {
  try {
    act();
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(SealError);
    expect((error as Error).message).toBe("The sealed record cannot be opened.");
    expect((error as Error).cause).toBeUndefined();
    return (error as SealError).fault;
  }
};

/** Yields every text that differs from the given one in exactly one bit of its bytes. */
function* flips(bytes: Buffer): Generator<Buffer> {
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    yield flipped;
  }
}

describe("the test vector of the contract", () => {
  test("derives the key", () => {
    expect(key.toString("hex")).toBe("d7590aca2c9801cf06eeba772a69dc31ce3862591d96522ac4e6bba6ad1f31a5");
  });

  test("encrypts to its tag and ciphertext", () => {
    const sealed = seal(fields, { id, key, salt, iv });
    expect(Buffer.from(sealed.tag, "base64").toString("hex")).toBe("0dc964bd16beacaefa4c362a75a532ee");
    expect(Buffer.from(sealed.ct, "base64").toString("hex")).toBe(
      "185dae1cbce7ebac919a78835564fcf3c1a4014d18c4289c1d48e7d105eb88f7bf56583689b7f3397dcfa7a5087d2a93f6d7566877cbb2ae1cc3561ba52bd406f125a5ed2c58a67f04609a84bf50a095fcb19578",
    );
    expect(JSON.stringify(sealed)).toBe(JSON.stringify(vector));
  });

  test("decrypts to its variables", () => {
    expect(open(vector, { id, key })).toEqual(fields);
  });
});

describe("an encrypted record", () => {
  const field = fc.record({ name: fc.string({ unit: codePoint }), value: fc.string({ unit: codePoint }) });
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

  test("decrypts to the same variables, and its ciphertext is as long as the plain text", async () => {
    await fc.assert(
      fc.property(fc.array(field), fc.string(), bytes(32), bytes(16), bytes(12), (given, name, k, s, i) => {
        const sealed = seal(given, { id: name, key: k, salt: s, iv: i });
        expect(open(sealed, { id: name, key: k })).toEqual(given);
        expect(Buffer.from(sealed.ct, "base64")).toHaveLength(Buffer.byteLength(JSON.stringify(given)));
      }),
    );
  });

  test("may be empty, and has two bytes then", () => {
    const sealed = seal([], { id, key, salt, iv });
    expect(sealed.ct).toHaveLength(4);
    expect(open(sealed, { id, key })).toEqual([]);
  });

  test("contains name and value in this order and nothing else", () => {
    const extra = [{ value: "v", more: 1, name: "N" }];
    expect(
      isSameSeal(seal(extra, { id, key, salt, iv }), seal([{ name: "N", value: "v" }], { id, key, salt, iv })),
    ).toBe(true);
  });

  test("needs key, salt and iv of their lengths", () => {
    expect(faultOf(() => seal(fields, { id, key: key.subarray(1), salt, iv }))).toBe("length");
    expect(faultOf(() => seal(fields, { id, key, salt: salt.subarray(1), iv }))).toBe("length");
    expect(faultOf(() => seal(fields, { id, key, salt, iv: Buffer.alloc(16) }))).toBe("length");
    expect(faultOf(() => open(vector, { id, key: key.subarray(1) }))).toBe("length");
  });
});

describe("decryption refuses", () => {
  const derive = (text: string) => scryptSync(PASSPHRASE, Buffer.from(text, "base64"), 32, { N: 16, r: 8, p: 1 });
  // Low costs, because every salt needs a separate key here.
  const cheapKey = derive(vector.salt);
  const cheap = seal(fields, { id, key: cheapKey, salt, iv });

  test("every flipped bit of salt, iv, tag and ciphertext", () => {
    let flipped = 0;
    for (const member of ["salt", "iv", "tag", "ct"] as const)
      for (const bytes of flips(Buffer.from(cheap[member], "base64"))) {
        const bad = { ...cheap, [member]: bytes.toString("base64") };
        expect(faultOf(() => open(bad, { id, key: derive(bad.salt) }))).toBe("authentication");
        flipped += 1;
      }
    expect(flipped).toBe((16 + 12 + 16 + 84) * 8);
  });

  test("every flipped bit of the stored texts", () => {
    for (const member of ["alg", "salt", "iv", "tag", "ct"] as const)
      for (const bytes of flips(Buffer.from(cheap[member], "latin1"))) {
        const bad = { ...cheap, [member]: bytes.toString("latin1") };
        expect(faultOf(() => open(bad, { id, key: derive(bad.salt) }))).toBeDefined();
      }
  });

  test("every flipped bit of the id, and the id of another record", () => {
    for (const bytes of flips(Buffer.from(id)))
      expect(faultOf(() => open(vector, { id: bytes.toString("latin1"), key }))).toBe("authentication");
    expect(faultOf(() => open(vector, { id: "zexample0002", key }))).toBe("authentication");
  });

  test("every tag of another length than 16, before a key is used", () => {
    for (let length = 0; length <= 32; length++) {
      if (length === 16) continue;
      const tag = Buffer.concat([Buffer.from(vector.tag, "base64"), Buffer.alloc(16)]).subarray(0, length);
      expect(faultOf(() => readSealed({ ...vector, tag: tag.toString("base64") }))).toBe("length");
    }
  });

  test.each<[string, object, string]>([
    ["a short salt", { salt: "AAEC" }, "length"],
    ["a long salt", { salt: Buffer.alloc(17).toString("base64") }, "length"],
    ["a short iv", { iv: "AAEC" }, "length"],
    ["a long iv", { iv: Buffer.alloc(16).toString("base64") }, "length"],
    ["another algorithm", { alg: "aes-256-cbc" }, "algorithm"],
    ["an algorithm in capitals", { alg: "AES-256-GCM" }, "algorithm"],
    ["a missing algorithm", { alg: undefined }, "algorithm"],
    ["another version", { v: 2 }, "shape"],
    ["a version as text", { v: "1" }, "shape"],
    ["a further member", { aad: "" }, "shape"],
    ["a missing ciphertext", { ct: undefined }, "shape"],
    ["a number for a text", { tag: 5 }, "shape"],
    ["text that is no Base64", { ct: "GF2u*" }, "shape"],
    ["white space in Base64", { ct: ` ${vector.ct}` }, "shape"],
    ["bits after the end of Base64", { salt: "AAECAwQFBgcICQoLDA0ODx==" }, "shape"],
    ["too much padding", { salt: "AAECAwQFBgcICQoLDA0ODw===" }, "shape"],
  ])("%s, before a key is used", (_name, change, fault) => {
    expect(faultOf(() => readSealed({ ...vector, ...change }))).toBe(fault);
  });

  test.each([null, undefined, "text", 5, []])("%j in place of a record", (blob) => {
    expect(faultOf(() => readSealed(blob))).toBeDefined();
  });

  test.each([
    "{}",
    "null",
    "[1]",
    '[{"name":"A"}]',
    '[{"name":1,"value":""}]',
    '[{"name":"A","value":null}]',
    "[",
    '""',
  ])("the content %s", (content) => {
    expect(faultOf(() => open(sealText(content), { id, key }))).toBe("content");
  });
});

describe("decryption accepts", () => {
  test("base64url, and Base64 without padding", () => {
    const url = (text: string) => Buffer.from(text, "base64").toString("base64url");
    const { v: _v, ...blob } = vector;
    const { salt: s, iv: i, tag, ct } = blob;
    expect(open({ ...blob, salt: url(s), iv: url(i), tag: url(tag), ct: url(ct) }, { id, key })).toEqual(fields);
    expect(open({ ...blob, tag: tag.replaceAll("=", "") }, { id, key })).toEqual(fields);
  });

  test("id and fingerprint beside the blob", () => {
    expect(open({ ...vector, id: "other", fp: "00000000" }, { id, key })).toEqual(fields);
  });

  test("numbers and booleans of other systems, as text; further members are dropped", () => {
    const content = '[{"value":5,"name":"A","x":1},{"name":"B","value":true}]';
    expect(open(sealText(content), { id, key })).toEqual([
      { name: "A", value: "5" },
      { name: "B", value: "true" },
    ]);
  });
});

/** Seals a record as another program with the same key could have done. */
function sealText(content: string): Sealed {
  const cipher = createCipheriv("aes-256-gcm", key, iv, { authTagLength: 16 });
  cipher.setAAD(Buffer.from(id));
  const ct = Buffer.concat([cipher.update(content), cipher.final()]);
  return { ...vector, ct: ct.toString("base64"), tag: cipher.getAuthTag().toString("base64") };
}
