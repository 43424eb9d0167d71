import * as z from "zod";
import type { Cradle } from "../../../kernel/container.ts";
import { RateError } from "../../../kernel/errors/errors.ts";
import { isObject } from "../../../lib/json/is-object.ts";
import { object } from "../../../wire/schemas/objects.ts";

export interface MonitorTestAnswer {
  readonly plugin_id?: string;
  readonly request_id?: string;
  readonly result: unknown;
  readonly stderr?: string;
}

/** Trial runs of monitor plugins on connected servers (docs/contract/plugins.md#trials). */
export interface MonitorTests {
  /**
   * Asks a server to run one of its monitor plugins. A failure is also a result: text that begins with `Error: `. Undefined when
   * the server is not connected to any node. Throws `RateError` when too many runs are open.
   */
  run(server: string, plugin: string, signal: AbortSignal): Promise<MonitorTestAnswer | undefined>;
  /** Takes an answer of a server. Accepts it once, and only from the server that was asked. Never throws. */
  received(server: string, data: unknown): void;
  /** Starts to answer other nodes that ask for runs on this node's servers. */
  begin(): void;
  /** Ends all open runs. */
  stop(): void;
}

const LIMIT_SEC = 10;
/** Seconds by which a question to another node outlasts a run. */
const MARGIN_SEC = 2;
const MAX_OPEN = 100;
/** Characters. */
const MAX_STDERR = 1_048_576;
/** Kind of the question between nodes. */
const KIND = "plugin.test";
const Asked = object(() => ({ server: z.string(), plugin: z.string() }));

interface OpenTest {
  readonly server: string;
  readonly plugin: string;
  readonly settle: (answer: MonitorTestAnswer) => void;
}

const failed = (reason: string): MonitorTestAnswer => ({ result: `Error: ${reason}` });

type Deps = Pick<Cradle, "bus" | "clock" | "ids" | "servers">;

/**
 * Reads the registry of servers from the cradle only when needed, because the registry in turn passes its messages to this
 * service.
 */
export function createMonitorTests(deps: Deps): MonitorTests {
  const runs = createRuns(deps);
  let answering: Disposable | undefined;
  return {
    run(server, plugin, signal) {
      const { node } = deps.servers.whereabouts(server);
      return node === undefined || node === deps.servers.node
        ? runs.run(server, plugin, signal)
        : runElsewhere(deps, { node, server, plugin });
    },
    received: runs.received,
    begin() {
      answering = deps.bus.answer(KIND, async (body) => {
        const { server, plugin } = Asked.parse(body);
        return (await runs.run(server, plugin, new AbortController().signal)) ?? null;
      });
    },
    stop() {
      answering?.[Symbol.dispose]();
      runs.stop();
    },
  };
}

/** Runs a test on another node. The ping detects a lost node at once, instead of after the time of a whole run. */
async function runElsewhere(
  { bus }: Deps,
  { node, server, plugin }: { readonly node: string; readonly server: string; readonly plugin: string },
): Promise<MonitorTestAnswer | undefined> {
  await bus.ask({ node, kind: "node.ping", body: {}, server });
  const timeoutMs = (LIMIT_SEC + MARGIN_SEC) * 1000;
  const answer = await bus.ask({ node, kind: KIND, body: { server, plugin }, server, timeoutMs });
  return (answer as MonitorTestAnswer | null) ?? undefined;
}

/** Runs tests on servers that are connected to this node. */
function createRuns(deps: Deps): Pick<MonitorTests, "received" | "run" | "stop"> {
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
        // Awaited here, because this function removes the entry when it ends.
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
