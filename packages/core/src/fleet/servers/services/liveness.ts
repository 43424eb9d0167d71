import type { Cradle } from "../../../kernel/container.ts";
import type { Connection, Ping } from "./connection.ts";

const AUTHENTICATE_MS = 30_000;
/** Agents give up a connection without an echo for 60 seconds. */
const MAX_EVERY_SEC = 30;

type Deps = Pick<Cradle, "clock" | "config" | "ids">;

/**
 * Looks at one connection (docs/contract/satellites.md#liveness): sends the echo that is due, or tells why the
 * connection is to end.
 */
export function createLiveness({ clock, config, ids }: Deps): (connection: Connection) => string | undefined {
  const timeoutMs = config.ping_timeout_sec * 1000;
  const everyMs = Math.min(config.ping_freq_sec, MAX_EVERY_SEC) * 1000;
  return (connection) => {
    const { link, ping, phase, openedMs } = connection;
    const nowMs = clock.monotonicMs();
    if (phase !== "joined") return nowMs - openedMs >= AUTHENTICATE_MS ? "Authentication took too long." : undefined;
    if (waitedMs(connection, nowMs) >= timeoutMs) return "Ping timeout.";
    if (ping.sentMs !== undefined && nowMs - ping.sentMs < everyMs) return undefined;
    ping.id = ids.short("e");
    ping.sentMs = nowMs;
    ping.unansweredSinceMs ??= nowMs;
    link.send({ cmd: "echo", data: { id: ping.id, last_ping_ms: Math.round(ping.tookMs) } });
    return undefined;
  };
}

/** Milliseconds that an echo has had no answer. A link inside this process cannot die silently. */
function waitedMs({ link, ping }: Connection, nowMs: number): number {
  return link.trusted || ping.unansweredSinceMs === undefined ? 0 : nowMs - ping.unansweredSinceMs;
}

/** Takes an answer to an echo: any shows life, and the one to the last echo also gives the round trip. */
export function answered(ping: Ping, data: unknown, nowMs: number): void {
  ping.unansweredSinceMs = undefined;
  const id = typeof data === "object" && data !== null ? (data as { id?: unknown }).id : undefined;
  if (id === ping.id && ping.sentMs !== undefined) ping.tookMs = nowMs - ping.sentMs;
}
