import type { Cradle } from "../../../kernel/container.ts";
import { agentConfigOf } from "../rules/joined.ts";
import { tokenKind } from "../rules/tokens.ts";
import type { Connection } from "./connection.ts";

/** Decides whether a join is accepted, and slows down those who guess (part 23 §3). */
export interface Authenticator {
  verdict(connection: Connection, token: unknown): "accepted" | "wrong" | "later";
}

const FAILURES_PER_MINUTE = 5;
const ADDRESSES = 10_000;

type Deps = Pick<Cradle, "clock" | "config" | "secretKey">;

export function createAuthenticator({ clock, config, secretKey }: Deps): Authenticator {
  const failures = new Map<string, { minute: number; count: number }>();
  const failuresOf = (ip: string): number => {
    const known = failures.get(ip);
    return known?.minute === Math.floor(clock.now() / 60) ? known.count : 0;
  };
  const countFailure = (ip: string): void => {
    const count = failuresOf(ip) + 1;
    if (failures.size >= ADDRESSES) failures.clear();
    failures.set(ip, { minute: Math.floor(clock.now() / 60), count });
  };
  return {
    verdict({ link, nonce, id, isNew }, token) {
      if (link.trusted) return "accepted";
      if (failuresOf(link.ip) >= FAILURES_PER_MINUTE) return "later";
      const kind = tokenKind(token, { nonce, id, secretKey });
      const isAllowed = kind !== "cluster" || !isNew || agentConfigOf(config["satellite"]).allow_secret_key_join;
      if (kind && isAllowed) return "accepted";
      countFailure(link.ip);
      return "wrong";
    },
  };
}
