import type { Actor, Client } from "../../../kernel/calls/context.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import type { Secret, SecretField, SecretPayload } from "../model.ts";
import { SealError } from "../rules/crypto.ts";

/** Shows a person the values of a secret (docs/contract/secrets.md#opening). */
export interface SecretAccess {
  /**
   * Opens the secret and commits a row of the activity log before returning the values. A failure to open is also committed as a
   * row. Throws `DomainError`. Runs separate transactions.
   */
  reveal(secret: Secret, payload: SecretPayload | undefined, who: Viewer): Promise<readonly SecretField[]>;
}

export interface Viewer {
  readonly actor: Actor;
  readonly client: Client;
  /** Why the caller wants to see it, in the caller's words. */
  readonly reason?: string | undefined;
}

type Deps = Pick<Cradle, "log" | "sealer" | "transact">;

const failed = (text: string, cause?: unknown): DomainError => new DomainError("secret", "failed", text, { cause });

export function createSecretAccess({ sealer, transact, log }: Deps): SecretAccess {
  async function open({ id }: Secret, payload: SecretPayload | undefined): Promise<readonly SecretField[]> {
    if (!payload) throw failed("Failed to fetch secret: Its values are missing.");
    try {
      return await sealer.open(id, payload);
    } catch (error) {
      if (error instanceof SealError)
        log.error({ code: "secret", secret: id, fault: error.fault }, "A secret cannot be opened");
      throw failed(`Failed to decrypt secret: ${(error as Error).message}`);
    }
  }

  const record = (action: string, detail: Readonly<Record<string, unknown>>, who: Viewer): Promise<void> =>
    transact(async ({ audit }) => audit(action, detail), { ...who, together: "secret_access" });

  async function warn(secret: Secret, description: string, who: Viewer): Promise<void> {
    try {
      await record("warning", { description, secret }, who);
    } catch (error) {
      log.error({ secret: secret.id, error }, "A failed access to a secret could not be recorded");
    }
  }

  return {
    async reveal(secret, payload, who) {
      let fields: readonly SecretField[];
      try {
        fields = await open(secret, payload);
      } catch (error) {
        await warn(secret, (error as Error).message, who);
        throw error;
      }
      try {
        await record("secret_access", { secret, ...(who.reason ? { reason: who.reason } : {}) }, who);
      } catch (error) {
        log.error({ secret: secret.id, error }, "An access to a secret could not be recorded");
        throw failed("Failed to record secret access.", error);
      }
      return fields;
    },
  };
}
