import type { ConfigOf } from "../../kernel/config/config.ts";
import type { KeyedCradle } from "../../kernel/container.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { canaryCollection, payloadCollection, secretCollection } from "./collection.ts";
import type { secretsConfig } from "./config.ts";
import type { SecretEvents } from "./events.ts";
import { decryptSecret } from "./operations/decrypt.ts";
import { getSecret, getSecrets } from "./operations/read.ts";
import { createSecret, deleteSecret, updateSecret } from "./operations/write.ts";
import { createSecretAccess, type SecretAccess } from "./services/access.ts";
import { createKeptSecrets, type KeptSecrets } from "./services/kept.ts";
import { checkKeys } from "./services/keys/canary.ts";
import { KEY_COSTS, type KeyCosts } from "./services/keys/derive.ts";
import { createKeyRing, type KeyRing } from "./services/keys/key-ring.ts";
import { createKeyChange, type KeyChange } from "./services/rotation/key-change.ts";
import { createSecretRotation, type SecretRotation } from "./services/rotation/rotation.ts";
import { createSealer, type Sealer } from "./services/sealer.ts";
import { unassignHooks } from "./services/unassign.ts";
import { createUseLog, type UseLog } from "./services/use-log.ts";
import { createVault, type SecretVault } from "./services/vault.ts";
import { secretTransfer } from "./transfer.ts";

declare module "../../kernel/config/config.ts" {
  interface Config extends ConfigOf<typeof secretsConfig> {}
}

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends SecretEvents {}
}

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly keyChange: KeyChange;
    readonly keyCosts: KeyCosts;
    readonly keyRing: KeyRing;
    readonly keptSecrets: KeptSecrets;
    readonly sealer: Sealer;
    readonly secretAccess: SecretAccess;
    readonly secretRotation: SecretRotation;
    readonly secretUse: UseLog;
    readonly vault: SecretVault;
  }
  interface KeyedServices {
    readonly keyChange: true;
    readonly keyRing: true;
  }
}

const MINUTE = 60;

const needsOf = ({ clock, config, keyCosts, keyProvider }: KeyedCradle) => ({ clock, config, keyCosts, keyProvider });

/** Makes tokens use the new keys, if the provider stores keys for the engine. */
const followKeys =
  ({ events, keyProvider, signingKeys }: KeyedCradle) =>
  (keys: readonly string[]): void => {
    if (!keyProvider.keep) return;
    signingKeys.replace(keys);
    events.emit("secret_key.changed", {});
  };

export const secrets = definePlugin({
  id: "secrets",
  after: ["auth", "activity"],
  collections: [secretCollection, payloadCollection, canaryCollection],
  transfer: secretTransfer,
  operations: [getSecrets, getSecret, decryptSecret, createSecret, updateSecret, deleteSecret],
  hooks: unassignHooks,
  services: {
    keyChange: createKeyChange,
    keyCosts: () => KEY_COSTS,
    keyRing: (cradle: KeyedCradle) => createKeyRing({ ...needsOf(cradle), changed: followKeys(cradle) }),
    sealer: createSealer,
    keptSecrets: createKeptSecrets,
    secretAccess: createSecretAccess,
    secretRotation: createSecretRotation,
    secretUse: createUseLog,
    vault: createVault,
  },
  loops: [
    {
      name: "secret-rotation",
      everySec: MINUTE,
      on: "leader",
      async run(_now, { secretRotation }, signal) {
        if (await secretRotation.due()) await secretRotation.run(signal);
      },
    },
    {
      name: "secret-keys",
      everySec: MINUTE,
      on: "every-node",
      async run(_now, { keyRing }) {
        keyRing.sweep();
        await keyRing.refresh();
      },
    },
  ],
  on: {
    // The change may come from another node, which has dropped only its own derived keys.
    "definitions.changed": ({ collection, ids }, { keyRing }) => {
      if (collection === secretCollection.name) for (const id of ids) keyRing.forget(id);
    },
  },
  start: checkKeys,
  startsForCalls: true,
  stop: async ({ keyRing }) => keyRing.close(),
});
