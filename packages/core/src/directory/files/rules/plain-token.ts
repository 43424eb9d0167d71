import { isObject } from "../../../lib/json/is-object.ts";
import { equalSecrets, sha256Hex } from "../../../lib/secrecy/hash.ts";
import { isPlainKey } from "./paths.ts";

const VALID_SEC = 86_400;

const signature = (key: string, expires: string, secretKey: string): string =>
  Buffer.from(sha256Hex(`file\0${key}\0${expires}\0${secretKey}`), "hex").toString("base64url");

/** Makes a token for one file with a guessable path, valid for a day: agents fetch input files with it. `now` is Unix seconds. */
export function plainToken(key: string, secretKey: string, now: number): string {
  const expires = Math.floor(now + VALID_SEC).toString(36);
  return `${expires}-${signature(key, expires, secretKey)}`;
}

/** True for an unexpired token for that file that was made with one of the keys. */
export function opensPlain(
  token: string,
  key: string,
  { keys, now }: { keys: readonly string[]; now: number },
): boolean {
  const [, expires = "", sent = ""] = /^([0-9a-z]{1,10})-([\w-]{43})$/.exec(token) ?? [];
  if (Number.parseInt(expires, 36) <= now) return false;
  return keys.map((secretKey) => equalSecrets(sent, signature(key, expires, secretKey))).includes(true);
}

/** Input files of a job for an agent: guessable paths get a token, which replaces credentials. */
export function fetchable(files: readonly unknown[], secretKey: string, now: number): readonly unknown[] {
  return files.map((file) => {
    const path = isObject(file) ? file["path"] : undefined;
    if (typeof path !== "string" || !isPlainKey(path)) return file;
    return { ...(file as object), path: `${path}?token=${plainToken(path, secretKey, now)}` };
  });
}
