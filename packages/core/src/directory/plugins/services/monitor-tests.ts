import type { Cradle } from "../../../kernel/container.ts";
import { RateError } from "../../../kernel/errors.ts";
import { isObject } from "../../../lib/is-object.ts";

export interface MonitorTestAnswer {
  readonly plugin_id?: string;
  readonly request_id?: string;
  readonly result: unknown;
  readonly stderr?: string;
}

/** Trial runs of monitor plugins on connected servers (docs/contract/plugins.md#trials). */
export interface MonitorTests {
  /**
   * Asks a server to run one of its monitor plugins. A failure is a result too: text that begins with `Error: `.
   * Undefined when the server is not connected here. Throws `RateError` while too many runs are open.
   */
  run(server: string, plugin: string, signal: AbortSignal): Promise<MonitorTestAnswer | undefined>;
  /** An answer of a server; heard once, and only from the server that was asked. Never throws. */
  received(server: string, data: unknown): void;
  /** Ends all open runs. */
  stop(): void;
}

const LIMIT_SEC = 10;
const MAX_OPEN = 100;
/** Characters. */
const MAX_STDERR = 1_048_576;

interface OpenTest {
  readonly server: string;
  readonly plugin: string;
  readonly settle: (answer: MonitorTestAnswer) => void;
}

const failed = (reason: string): MonitorTestAnswer => ({ result: `Error: ${reason}` });

type Deps = Pick<Cradle, "clock" | "ids" | "servers">;

/** The registry of servers is read from the cradle when it is needed: it hands its messages to this service in turn. */
export function createMonitorTests(deps: Deps): MonitorTests {
  const { clock, ids } = deps;
  const open = new Map<string, OpenTest>();
  return {
    async run(server, plugin, signal) {
      if (open.size >= MAX_OPEN) throw new RateError("Too many plugin tests are running.");
      const requestId = ids.hex();
      const { promise, resolve: settle } = Promise.withResolvers<MonitorTestAnswer>();
      const leave = (): void => settle(failed("The caller has left."));
      open.set(requestId, { server, plugin, settle });
      using _timer = clock.after(LIMIT_SEC * 1000, () =>
        settle(failed(`Remote plugin test has timed out (${LIMIT_SEC} seconds).`)),
      );
      signal.addEventListener("abort", leave, { once: true });
      if (signal.aborted) leave();
      try {
        const message = { cmd: "testMonitorPlugin", data: { plugin_id: plugin, request_id: requestId } };
        if (!deps.servers.send(server, message)) return undefined;
        // Awaited here: the entry ends with this function.
        return await promise;
      } finally {
        signal.removeEventListener("abort", leave);
        open.delete(requestId);
      }
    },
    received(server, data) {
      const { request_id: id, result = null, stderr } = isObject(data) ? data : ({} as Record<string, unknown>);
      const test = typeof id === "string" ? open.get(id) : undefined;
      if (typeof id !== "string" || test?.server !== server) return;
      open.delete(id);
      const errors = typeof stderr === "string" ? { stderr: stderr.slice(0, MAX_STDERR) } : {};
      test.settle({ plugin_id: test.plugin, request_id: id, result, ...errors });
    },
    stop() {
      for (const { settle } of open.values()) settle(failed("Conductor is shutting down."));
    },
  };
}
