/** Secrets under a data key that only a key service can unwrap: nothing on this machine's disk opens them. */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSignalbox } from "@signalbox/core";
import type { KeyProvider } from "@signalbox/core/adapter";
import { sqliteStorage } from "@signalbox/storage-sqlite";

/** Stands for a remote service whose master key never leaves it. */
const keyService = (() => {
  const master = randomBytes(32);
  return {
    async wrap(key: string): Promise<string> {
      const iv = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", master, iv, { authTagLength: 16 });
      return Buffer.concat([iv, cipher.update(key), cipher.final(), cipher.getAuthTag()]).toString("base64");
    },
    async unwrap(wrapped: string): Promise<string> {
      const bytes = Buffer.from(wrapped, "base64");
      const cipher = createDecipheriv("aes-256-gcm", master, bytes.subarray(0, 12), { authTagLength: 16 });
      cipher.setAuthTag(bytes.subarray(-16));
      return Buffer.concat([cipher.update(bytes.subarray(12, -16)), cipher.final()]).toString();
    },
  };
})();

/** Wrapped data keys, the current one first; the host keeps them, for example in its configuration. */
let wrappedKeys = [await keyService.wrap(randomBytes(32).toString("base64url"))];
const keyProvider: KeyProvider = { keys: () => Promise.all(wrappedKeys.map(keyService.unwrap)) };

const directory = await mkdtemp(join(tmpdir(), "signalbox-"));
const engine = () =>
  createSignalbox({
    storage: sqliteStorage({ filename: join(directory, "data.sqlite") }),
    secretKey: "signs tokens, and seals nothing here",
    keyProvider,
  });

const first = engine();
await first.start();
const fields = [{ name: "PASSWORD", value: "s3cr3t" }];
const { secret } = await first.api.createSecret({ title: "Database", fields });
console.log(`sealed with data key 1, read: ${(await first.api.decryptSecret({ id: secret.id })).fields[0]?.value}`);
await first.stop();

// Puts a new data key first: the next start seals everything with it, and reports when the old one may go.
wrappedKeys = [await keyService.wrap(randomBytes(32).toString("base64url")), ...wrappedKeys];
const second = engine();
const rotated = Promise.withResolvers<number>();
second.events.on("secrets.rotated", ({ secrets }) => rotated.resolve(secrets));
await second.start();
console.log(`${await rotated.promise} secret sealed anew, data key 1 is not needed any more`);
wrappedKeys = wrappedKeys.slice(0, 1);
console.log(`sealed with data key 2, read: ${(await second.api.decryptSecret({ id: secret.id })).fields[0]?.value}`);
await second.stop();
await rm(directory, { recursive: true });
