import type { Cradle } from "../../../kernel/container.ts";
import { payloadCollection, secretCollection } from "../collection.ts";
import type { Secret, SecretPayload, SecretTarget, SecretVariable } from "../model.ts";
import { SealError } from "../rules/crypto.ts";
import { isAssigned, isMasked } from "../rules/record.ts";
import { type UnassignUnit, unassign } from "./unassign.ts";

/** Opens secrets for the records that they are assigned to (docs/contract/secrets.md#lookup). */
export interface SecretVault {
  /**
   * Variables of all enabled secrets that name the target, in list order; of equal names the later one wins. Logs each secret in
   * the secret log before opening it. A secret that cannot be opened is logged as an error and skipped.
   */
  variables(type: SecretTarget, id: string): Promise<readonly SecretVariable[]>;
  /** Enabled secrets that name the target, unopened. */
  assigned(type: SecretTarget, id: string): readonly Secret[];
  /** Removes a deleted target from all secrets, in the transaction of the deletion. */
  unassign(unit: UnassignUnit, type: SecretTarget, id: string): Promise<void>;
}

type Deps = Pick<Cradle, "activity" | "clock" | "definitions" | "log" | "sealer" | "secretUse" | "snapshot">;

const NOTHING: readonly SecretVariable[] = [];

export function createVault(deps: Deps): SecretVault {
  const { definitions, snapshot, sealer, secretUse, log } = deps;
  const assigned = (type: SecretTarget, id: string): readonly Secret[] =>
    definitions.all(secretCollection).filter((secret) => isAssigned(secret, type, id));

  function complain(secret: Secret, text: string, fault?: string): readonly SecretVariable[] {
    log.error({ code: "secret", secret: secret.id, ...(fault ? { fault } : {}) }, text);
    return NOTHING;
  }

  async function open(secret: Secret, payload: SecretPayload): Promise<readonly SecretVariable[]> {
    try {
      const fields = await sealer.open(secret.id, payload);
      const masked = isMasked(secret);
      return fields.map(({ name, value }) => ({ name, value, masked }));
    } catch (error) {
      const { message } = error as Error;
      return complain(
        secret,
        `Failed to decrypt secret: ${message}`,
        error instanceof SealError ? error.fault : undefined,
      );
    }
  }

  return {
    assigned,
    unassign: (unit, type, id) => unassign(deps, unit, [type, id]),
    async variables(type, id) {
      const secrets = assigned(type, id);
      if (secrets.length === 0) return NOTHING;
      const ids = secrets.map((secret) => secret.id);
      const payloads = await snapshot((tx) => tx.collection(payloadCollection).getMany(ids));
      const opened = secrets.map(async (secret, index) => {
        const payload = payloads[index];
        if (!payload) return complain(secret, "Failed to fetch secret: Its values are missing.");
        secretUse.note(secret, type, id);
        return open(secret, payload);
      });
      return (await Promise.all(opened)).flat();
    },
  };
}
