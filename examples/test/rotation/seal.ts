import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { definePlugin } from "@signalbox/core/plugin";
import { beside, killsOf } from "../kills.ts";

/** A sealed record as the contract specifies it, so that the engine is not judged by its own code. */
export interface Sealed {
  readonly id: string;
  readonly v: 1;
  readonly alg: "aes-256-gcm";
  readonly salt: string;
  readonly iv: string;
  readonly tag: string;
  readonly ct: string;
  readonly fp: string;
}

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);
/** Cost of a slow key: the contract's in the long story, a quarter of it in the short one. */
const KEY_COSTS = { N: beside(killsOf(20), 4096, 16_384), r: 8, p: 1 };
/** Makes hosts of the story derive their keys at the same cost. */
export const keys = definePlugin({ id: "keys-of-the-story", services: { keyCosts: () => KEY_COSTS } });
const keyOf = (passphrase: string, salt: Buffer): Promise<Buffer> => derive(passphrase, salt, 32, KEY_COSTS);

export const fingerprint = (passphrase: string): string =>
  createHash("sha256").update(`fp${passphrase}`).digest("hex").slice(0, 8);

export const valueIn = (id: string): string => `value of ${id}`;

/** Seals secrets with the single variable VALUE. All share one slow key, and each has its own iv. */
export async function sealAll(ids: readonly string[], passphrase: string): Promise<Sealed[]> {
  const salt = randomBytes(16);
  const key = await keyOf(passphrase, salt);
  const fp = fingerprint(passphrase);
  return ids.map((id) => ({ ...seal(id, key, salt), fp }));
}

function seal(id: string, key: Buffer, salt: Buffer): Omit<Sealed, "fp"> {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(id));
  const ct = Buffer.concat([cipher.update(JSON.stringify([{ name: "VALUE", value: valueIn(id) }])), cipher.final()]);
  const [salt64, iv64, tag, ct64] = [salt, iv, cipher.getAuthTag(), ct].map((bytes) => bytes.toString("base64"));
  return {
    id,
    v: 1,
    alg: "aes-256-gcm",
    salt: String(salt64),
    iv: String(iv64),
    tag: String(tag),
    ct: String(ct64),
  };
}

/** Throws when the passphrase does not open the record. */
export async function open({ id, salt, iv, tag, ct }: Sealed, passphrase: string): Promise<string> {
  const bytes = (text: string): Buffer => Buffer.from(text, "base64");
  const key = await keyOf(passphrase, bytes(salt));
  const decipher = createDecipheriv("aes-256-gcm", key, bytes(iv), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(id)).setAuthTag(bytes(tag));
  const [field] = JSON.parse(Buffer.concat([decipher.update(bytes(ct)), decipher.final()]).toString());
  return field.value;
}
