import { createCipheriv, createDecipheriv, createSecretKey } from "node:crypto";
import type { SecretField } from "../model.ts";

/** Stored variables; salt, iv, tag and ct are Base64 (docs/contract/secrets.md#sealed-form). */
export interface Sealed {
  readonly v?: number;
  readonly alg: string;
  readonly salt: string;
  readonly iv: string;
  readonly tag: string;
  readonly ct: string;
}

/** The check that failed. Safe to log: it reveals nothing about key, salt or content. */
export type SealFault = "shape" | "identity" | "algorithm" | "length" | "key" | "authentication" | "content";

/** A sealed record could not be opened. The message is the same for every cause, which callers must not learn. */
export class SealError extends Error {
  override readonly name = "SealError";
  readonly fault: SealFault;
  constructor(fault: SealFault) {
    super("The sealed record cannot be opened.");
    this.fault = fault;
  }
}

export const SALT_BYTES = 16;
export const IV_BYTES = 12;
export const KEY_BYTES = 32;
const TAG_BYTES = 16;
const ALGORITHM = "aes-256-gcm";
/** Besides the five members of the blob: its version, the record's id and the fingerprint of the key. */
const MEMBERS: ReadonlySet<string> = new Set(["v", "alg", "salt", "iv", "tag", "ct", "id", "fp"]);

export interface SealedParts {
  readonly salt: Buffer;
  readonly iv: Buffer;
  readonly tag: Buffer;
  readonly ct: Buffer;
}

/**
 * Parses a sealed record and checks everything that needs no key (docs/contract/secrets.md#before-opening). Lengths must be
 * exact, because GCM accepts short tags, which can be forged. Throws `SealError`.
 */
export function readSealed(blob: unknown): SealedParts {
  if (typeof blob !== "object" || blob === null) throw new SealError("shape");
  const { v = 1, alg, salt, iv, tag, ct, ...others } = blob as Record<string, unknown>;
  if (v !== 1 || !Object.keys(others).every((member) => MEMBERS.has(member))) throw new SealError("shape");
  if (alg !== ALGORITHM) throw new SealError("algorithm");
  return {
    salt: bytesOf(salt, SALT_BYTES),
    iv: bytesOf(iv, IV_BYTES),
    tag: bytesOf(tag, TAG_BYTES),
    ct: bytesOf(ct),
  };
}

/** Reads base64 or base64url, padded or not, but only in canonical form: no bit of the text may be changeable without effect. */
function bytesOf(text: unknown, length?: number): Buffer {
  if (typeof text !== "string") throw new SealError("shape");
  const bytes = Buffer.from(text, "base64");
  const bare = bytes.toString("base64url");
  const given = text.replaceAll("+", "-").replaceAll("/", "_");
  if (given !== bare && given !== bare.padEnd(Math.ceil(bare.length / 4) * 4, "=")) throw new SealError("shape");
  if (length !== undefined && bytes.length !== length) throw new SealError("length");
  return bytes;
}

/** True when two records are the same ciphertext: every write uses a fresh salt, so any two writes differ. */
export const isSameSeal = (a: Sealed, b: Sealed): boolean =>
  a.salt === b.salt && a.iv === b.iv && a.tag === b.tag && a.ct === b.ct;

export interface SealWith {
  /** Bound into the sealed text, which opens under no other id. */
  readonly id: string;
  /** 32 bytes, derived from the passphrase and the salt. */
  readonly key: Uint8Array;
  /** 16 bytes, fresh for every write. */
  readonly salt: Uint8Array;
  /** 12 bytes, fresh for every write. */
  readonly iv: Uint8Array;
}

/** Encrypts the compact JSON text of the variables with AES-256-GCM. */
export function seal(fields: readonly SecretField[], { id, key, salt, iv }: SealWith): Sealed {
  if (key.length !== KEY_BYTES || salt.length !== SALT_BYTES || iv.length !== IV_BYTES) throw new SealError("length");
  const plain = Buffer.from(JSON.stringify(fields.map(({ name, value }) => ({ name, value }))));
  const cipher = createCipheriv(ALGORITHM, createSecretKey(key), iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(id));
  const ct = Buffer.concat([cipher.update(plain), cipher.final()]);
  plain.fill(0);
  return { v: 1, alg: ALGORITHM, salt: base64(salt), iv: base64(iv), tag: base64(cipher.getAuthTag()), ct: base64(ct) };
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

export interface OpenWith {
  readonly id: string;
  /** 32 bytes, derived from the passphrase and the salt of the record. */
  readonly key: Uint8Array;
}

/** Returns the variables in their stored order, all or none. Throws `SealError`. */
export function open(sealed: unknown, { id, key }: OpenWith): SecretField[] {
  const { iv, tag, ct } = readSealed(sealed);
  if (key.length !== KEY_BYTES) throw new SealError("length");
  // Given bytes, Node throws and catches an error to see that they are no key object, which costs three times as much as all else
  // here. A key object has a copy of the key, which Node overwrites when it frees the object, so none is kept.
  const decipher = createDecipheriv(ALGORITHM, createSecretKey(key), iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(id));
  decipher.setAuthTag(tag);
  const plain = Buffer.concat([decipher.update(ct), finish(decipher)]);
  try {
    return fieldsOf(plain);
  } finally {
    plain.fill(0);
  }
}

function finish(decipher: ReturnType<typeof createDecipheriv>): Buffer {
  try {
    return decipher.final();
  } catch {
    throw new SealError("authentication");
  }
}

function fieldsOf(plain: Buffer): SecretField[] {
  const parsed = parse(plain);
  if (!Array.isArray(parsed)) throw new SealError("content");
  return parsed.map(fieldOf);
}

function parse(plain: Buffer): unknown {
  try {
    return JSON.parse(plain.toString());
  } catch {
    // The parser's message would quote the content.
    throw new SealError("content");
  }
}

/** Reads a variable of a record. Other systems also stored numbers and booleans as values. */
function fieldOf(entry: unknown): SecretField {
  const { name, value } = Object(entry) as Record<string, unknown>;
  if (typeof name !== "string" || !["string", "number", "boolean"].includes(typeof value))
    throw new SealError("content");
  return { name, value: String(value) };
}
