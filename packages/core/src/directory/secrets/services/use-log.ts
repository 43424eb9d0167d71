import type { Cradle } from "../../../kernel/container.ts";
import type { SecretLog } from "../../../ports/secrets/secret-log.ts";
import type { Secret, SecretTarget } from "../model.ts";
import { onOneLine } from "../rules/record.ts";

/** Logs every routine use of a secret before it is opened (docs/contract/secrets.md#log-of-uses). */
export interface UseLog {
  note(secret: Secret, type: SecretTarget, id: string): void;
}

type Deps = Pick<Cradle, "clock" | "log" | "secretLog">;

export function createUseLog({ secretLog, clock, log }: Deps): UseLog {
  // The contract calls these lines debug but always wants them written, and loggers drop debug lines by default.
  const write: SecretLog =
    secretLog ?? (({ component, code, message, data }) => log.info({ component, code, ...data }, message));
  return {
    note(secret, type, id) {
      const shown = Object.fromEntries(
        Object.entries(secret).map(([name, value]) => [name, typeof value === "string" ? onOneLine(value) : value]),
      );
      const message = `Using secret ${secret.id} (${onOneLine(secret.title)}) for ${type}: ${onOneLine(id)}`;
      try {
        write({
          epoch: clock.now(),
          component: "Secret",
          category: "debug",
          code: 1,
          message,
          data: { secret: shown, type, id },
        });
      } catch (error) {
        log.error({ secret: secret.id, error }, "The secret log failed");
      }
    },
  };
}
