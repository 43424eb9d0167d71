import type { Cradle } from "../../../../kernel/container.ts";
import { echoDue, unansweredMs } from "../../../../lib/network/echo.ts";
import type { Connection } from "./connection.ts";

const AUTHENTICATE_MS = 30_000;
/** Agents give up a connection after 60 seconds without an echo. */
const MAX_EVERY_SEC = 30;

type Deps = Pick<Cradle, "clock" | "config" | "ids">;

/**
 * Checks one connection (docs/contract/satellites.md#liveness): sends an echo if one is due, or returns why the
 * connection must end.
 */
export function createLiveness({ clock, config, ids }: Deps): (connection: Connection) => string | undefined {
  const newId = (): string => ids.short("e");
  return ({ link, ping, phase, openedMs }) => {
    const nowMs = clock.monotonicMs();
    if (phase !== "joined") return nowMs - openedMs >= AUTHENTICATE_MS ? "Authentication took too long." : undefined;
    // A link within this process cannot die unnoticed.
    if (!link.trusted && unansweredMs(ping, nowMs) >= config.ping_timeout_sec * 1000) return "Ping timeout.";
    const everyMs = Math.min(config.ping_freq_sec, MAX_EVERY_SEC) * 1000;
    const data = echoDue(ping, { nowMs, everyMs, newId });
    if (data) link.send({ cmd: "echo", data });
    return undefined;
  };
}
