import { availableParallelism, hostname, tmpdir, userInfo } from "node:os";
import {
  type AgentTransport,
  type AgentTransportContext,
  type BlobStore,
  type Clock,
  checkOptions,
  given,
  type OptionRules,
  optional,
  optionalCount,
  optionalPositive,
  optionalText,
  type ProcessRunner,
  type WebHookTargets,
} from "@signalbox/core/adapter";
import { createHttpSender, type FetchWebHookClientOptions, WEB_HOOK_CLIENT_RULES } from "../web-hook/fetch-client.ts";
import { inheritedEnvironment } from "./environment.ts";
import { createHostMetrics } from "./host-metrics.ts";
import { createJobBoard } from "./job/job-board.ts";
import type { HttpSender, JobTools } from "./job/job-run.ts";
import { endLeftovers } from "./leftovers/leftovers.ts";
import { createMonitorPlugins } from "./monitor-plugins.ts";
import { nodeProcesses } from "./runners/node-processes.ts";
import { type AgentSession, createAgentSession } from "./session/agent-session.ts";

export interface LocalAgentOptions {
  /** Id of the server record: lower-case letters, digits, `_`. Default `local`. */
  readonly id?: string;
  /** Default: the name of the machine. */
  readonly hostname?: string;
  /** Seconds between minute samples, at whole multiples of the clock. Default 60. */
  readonly minuteEverySec?: number;
  /** Seconds between quick samples. Default 1; 0 sends none. */
  readonly quickEverySec?: number;
  /** Additional environment of every job. */
  readonly jobEnv?: Readonly<Record<string, string>>;
  /**
   * Variables that jobs and monitor plugins start from, for example `{ PATH: process.env.PATH }`. Default none, because the
   * host's environment holds its credentials. The common folders are added to PATH; HOME and USER are set.
   */
  readonly environment?: Readonly<Record<string, string>>;
  /** Starts jobs and monitor plugins. Default `nodeProcesses()`. */
  readonly processes?: ProcessRunner;
  /** Source of input files and destination of output files. Default: the store of the engine. */
  readonly blobs?: BlobStore;
  /** Parent of the private folders of jobs. Default: the temporary folder of the machine. */
  readonly tempDir?: string;
  /** Seconds from SIGTERM to SIGKILL. Default 10. */
  readonly killTimeoutSec?: number;
  /** Longest piece of log in one message, in characters. Default 65536. */
  readonly maxLogChunkBytes?: number;
  /** Host functions that run at once in this thread; further ones wait. Default 20. */
  readonly maxFunctions?: number;
  /** Threads for the functions of events that name a `worker`; further jobs wait. Default: the number of cores less one. */
  readonly maxWorkers?: number;
  /** Megabytes of heap of one such thread; a job that needs more fails. Default: the limit of Node.js. */
  readonly workerMemoryMb?: number;
  /**
   * Connections of `[http-plugin]`: targets besides public addresses (`allow`), and trusted certificate authorities. Default:
   * only public addresses, because requests come from this machine, not from the author of the event.
   */
  readonly http?: Pick<FetchWebHookClientOptions, "allow" | "tls" | "resolve">;
  /** Further limits on the targets of `[http-plugin]`, such as an air gap; a function is called before each request. */
  readonly httpTargets?: WebHookTargets | (() => WebHookTargets);
  /** Address of the host's API, for `JOB_BASE_URL` and the input of plugins. */
  readonly baseUrl?: string;
}

const DEFAULT_KILL_SEC = 10;

const RULES: OptionRules<LocalAgentOptions> = {
  id: optionalText,
  hostname: optionalText,
  minuteEverySec: optionalPositive,
  quickEverySec: optional,
  jobEnv: optional,
  environment: optional,
  processes: optional,
  blobs: optional,
  tempDir: optionalText,
  killTimeoutSec: optionalPositive,
  maxLogChunkBytes: optionalPositive,
  maxFunctions: optionalCount,
  maxWorkers: optionalCount,
  workerMemoryMb: optionalPositive,
  http: optional,
  httpTargets: given,
  baseUrl: optionalText,
};

/**
 * Makes the machine of this process a server: it is measured each minute and each second, and runs jobs.
 *
 * It speaks the agent protocol over a trusted in-memory link, so the core treats it like any satellite. On Linux, readings come
 * from `/proc`; elsewhere from the optional package `systeminformation`. Jobs: `[shell-plugin]` scripts and plugin commands as
 * child processes, `[host-function]` as functions of the host, in worker threads where they name one, `[http-plugin]` and
 * `[test-plugin]` within this process. Jobs see only the variables of the host's environment that `environment` names. On Linux,
 * a start ends processes that jobs of a killed host process left running.
 *
 * @throws TypeError for a malformed id, a period below a tenth of a second and an unknown option.
 * @see docs/contract/satellites.md
 */
export function localAgent(options: LocalAgentOptions = {}): AgentTransport {
  checkOptions("localAgent", options, RULES);
  checkOptions("localAgent: http", options.http ?? {}, WEB_HOOK_CLIENT_RULES);
  const settings = settingsOf(options);
  if (!/^[a-z0-9_]{1,64}$/.test(settings.id)) throw new TypeError(`Malformed id of the local agent: ${settings.id}`);
  if (!(settings.minuteEverySec >= 0.1)) throw new TypeError("minuteEverySec must be at least 0.1");
  if (settings.quickEverySec !== 0 && !(settings.quickEverySec >= 0.1))
    throw new TypeError("quickEverySec must be 0 or at least 0.1");
  const { tempDir = tmpdir(), killTimeoutSec = DEFAULT_KILL_SEC } = options;
  let stopping = new AbortController();
  let session: AgentSession | undefined;
  let clearing: Promise<void> | undefined;
  return {
    async start({ clock, log, ...context }) {
      if (session) throw new Error("Local agent was started already");
      session = createSession({ ...context, clock, log }, options, settings);
      stopping = new AbortController();
      const leftovers = await endLeftovers({ tempDir, killTimeoutSec, clock, log });
      clearing = leftovers
        .clear(stopping.signal)
        .catch((error: unknown) => log.error({ error }, "What killed jobs left behind could not be cleared away"));
      await session.start();
    },
    async stop() {
      stopping.abort();
      await session?.stop();
      await clearing;
      session = undefined;
    },
  };
}

const settingsOf = (options: LocalAgentOptions): Settings => ({
  id: options.id ?? "local",
  minuteEverySec: options.minuteEverySec ?? 60,
  quickEverySec: options.quickEverySec ?? 1,
  hostname: options.hostname ?? hostname(),
});

function ownAccount(): { username: string; homedir: string; shell: string | null } {
  try {
    return userInfo();
  } catch {
    // Containers may run as a user id that no account has.
    return { username: "", homedir: tmpdir(), shell: null };
  }
}

interface Settings {
  readonly id: string;
  readonly hostname: string;
  readonly minuteEverySec: number;
  readonly quickEverySec: number;
}

function createSender({ http = {}, httpTargets: targets }: LocalAgentOptions, clock: Clock): HttpSender {
  const send = createHttpSender({ ...http, clock });
  if (!targets) return send;
  const now = typeof targets === "function" ? targets : () => targets;
  return (request, signal) => send({ ...request, targets: now() }, signal);
}

function createSession(context: AgentTransportContext, options: LocalAgentOptions, settings: Settings): AgentSession {
  const { clock, log } = context;
  const metrics = createHostMetrics({ clock, log });
  const shared = {
    clock,
    processes: options.processes ?? nodeProcesses(),
    tempDir: options.tempDir ?? tmpdir(),
    inherited: inheritedEnvironment(options.environment ?? {}, ownAccount()),
  };
  const tools: JobTools = {
    ...shared,
    context,
    metrics,
    blobs: options.blobs ?? context.blobs,
    http: createSender(options, clock),
    killTimeoutSec: options.killTimeoutSec ?? DEFAULT_KILL_SEC,
    jobEnv: options.jobEnv ?? {},
    // Paths are added to it, as to the base address of the configuration.
    baseUrl: options.baseUrl?.replace(/\/+$/, ""),
    serverId: () => session.serverId(),
    pluginScript: (id) => session.pluginScript(id),
  };
  const board = createJobBoard({
    tools,
    maxFunctions: options.maxFunctions ?? 20,
    maxWorkers: options.maxWorkers ?? Math.max(1, availableParallelism() - 1),
    workerMemoryMb: options.workerMemoryMb,
    maxLogChunkBytes: Math.max(1024, options.maxLogChunkBytes ?? 65_536),
    post: (cmd, data) => session.post(cmd, data),
  });
  const plugins = createMonitorPlugins(shared);
  const session: AgentSession = createAgentSession({ context, settings, metrics, board, plugins });
  return session;
}
