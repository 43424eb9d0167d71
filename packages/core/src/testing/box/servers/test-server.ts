import { isObject } from "../../../lib/json/is-object.ts";
import { messageOf } from "../../../lib/message-of.ts";
import type {
  AgentMessage,
  AgentTransport,
  AgentTransportContext,
  HostFunction,
} from "../../../ports/agents/agent-transport.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { IdGenerator } from "../../../ports/ids.ts";
import type { Fetch } from "../../../ports/outside/fetch.ts";
import type { Random } from "../../../ports/random.ts";
import type { BlobStore } from "../../../ports/storage/blob-store.ts";
import { type ScriptedAgent, type ScriptedServer, scriptedAgent } from "../../scripted-agent.ts";
import type { Activity } from "../activity.ts";
import { runHostFunction } from "./host-functions.ts";
import { createRepeater, createTestJob, type RunningJob, type TestJob, type TestJobResult } from "./test-job.ts";

/** A server of the test: its identity and how it handles jobs. */
export interface TestServerOptions {
  /** Lower-case letters, digits, `_`. */
  readonly id: string;
  /** Default: the id and `.example.internal`. */
  readonly hostname?: string;
  readonly groups?: readonly string[];
  /** Facts about the machine, as its agent reports them: `os`, `cpu`, `memory` … */
  readonly info?: Readonly<Record<string, unknown>>;
  /**
   * Handles jobs as they arrive: a returned result ends the job, an error fails it. If it returns nothing, or is absent, the job
   * stays active until the test ends it.
   */
  readonly onJob?: (job: TestJob) => TestJobResult | undefined | Promise<TestJobResult | undefined>;
}

/** A server of the box: the engine treats it as a machine with an agent. */
export interface TestServer {
  readonly id: string;
  readonly hostname: string;
  readonly isConnected: boolean;
  /** Jobs that it was told to run and that the test completes, oldest first; without functions of the host. */
  readonly jobs: readonly TestJob[];
  /** Sends a message of the agent protocol. Throws `Error` when the server is not connected. */
  send(cmd: string, data: unknown): void;
  /** Drops the connection; jobs continue. */
  disconnect(): void;
  /** Connects again and reports the jobs that are still running. Resolves when the engine has welcomed the server. */
  reconnect(): Promise<void>;
}

export interface ServerTools {
  readonly activity: Activity;
  readonly clock: Clock;
  readonly blobs: BlobStore;
}

/** The servers of a box, on one transport. */
export interface TestFleet {
  readonly transport: AgentTransport;
  /** Connects a server; rejects when the engine refuses it. */
  connect(options: TestServerOptions): Promise<TestServer>;
  /** Throws `Error` for an unknown server. */
  get(id: string): TestServer;
}

export const LOCAL_ID = "local";
/** Agents report their jobs each second; this is often enough to count as alive. */
const HEARTBEAT_SEC = 10;
/** Most messages that a server buffers while it is disconnected. */
const MAX_KEPT = 1000;

/** A fleet that starts with one server: `local`, which runs the functions of the host. */
export function createFleet(tools: ServerTools, local: Partial<TestServerOptions> = {}): TestFleet {
  const servers = new Map<string, InnerServer>();
  const agent = scriptedAgent();
  let context: AgentTransportContext | undefined;
  const add = async (options: TestServerOptions, calls: AgentTransportContext["functions"]): Promise<TestServer> => {
    if (servers.has(options.id)) throw new Error(`There is a server "${options.id}" already`);
    if (!context) throw new Error("The engine has not started");
    const { fetch, ids, random } = context;
    const inner = createServer(options, {
      ...tools,
      agent,
      fetch,
      ids,
      random,
      functionOf: (event) => calls.get(event),
    });
    await inner.server.reconnect();
    servers.set(options.id, inner);
    return inner.server;
  };
  return {
    transport: {
      async start(given) {
        context = given;
        await agent.start(given);
        await add({ ...local, id: LOCAL_ID }, given.functions);
      },
      async stop() {
        await Promise.all([...servers.values()].map(({ stop }) => stop()));
        await agent.stop();
      },
    },
    connect: (options) => add(options, new Map()),
    get(id) {
      const found = servers.get(id);
      if (!found) throw new Error(`No server "${id}"; there are: ${[...servers.keys()].join(", ")}`);
      return found.server;
    },
  };
}

interface InnerServer {
  readonly server: TestServer;
  /** Ends its jobs like an agent that shuts down, and waits for them. */
  stop(): Promise<void>;
}

interface InnerTools extends ServerTools {
  readonly agent: ScriptedAgent;
  readonly ids: IdGenerator;
  readonly random: Random;
  readonly fetch: Fetch;
  readonly functionOf: (event: string) => HostFunction | undefined;
}

function createServer(options: TestServerOptions, tools: InnerTools): InnerServer {
  const { id, hostname = `${id.replaceAll("_", "-")}.example.internal`, groups = [], info = {} } = options;
  let link: ScriptedServer | undefined;
  const kept: AgentMessage[] = [];
  const post = (cmd: string, data: unknown): void => {
    if (link?.isOpen) link.send(cmd, data);
    else if (kept.length < MAX_KEPT) kept.push({ cmd, data });
  };
  const board = createBoard(options, { ...tools, post });
  const server: TestServer = {
    id,
    hostname,
    jobs: board.answered,
    get isConnected() {
      return link?.isOpen === true;
    },
    send(cmd, data) {
      if (!link?.isOpen) throw new Error(`Server "${id}" is not connected`);
      link.send(cmd, data);
    },
    disconnect: () => link?.close(),
    async reconnect() {
      if (link?.isOpen) return;
      const initial = { groups: [...groups] };
      link = await tools.agent.connect({ id, hostname, info, initial, onMessage: board.take });
      for (const { cmd, data } of kept.splice(0)) post(cmd, data);
      board.report();
    },
  };
  return { server, stop: board.stop };
}

interface Board {
  readonly answered: readonly TestJob[];
  take(message: AgentMessage): void;
  /** Reports all running jobs. */
  report(): boolean;
  stop(): Promise<void>;
}

interface BoardTools extends InnerTools {
  readonly post: (cmd: string, data: unknown) => void;
}

/** The jobs of one server. */
function createBoard({ onJob }: TestServerOptions, { post, functionOf, ...tools }: BoardTools): Board {
  const running = new Map<string, RunningJob>();
  const ends = new Set<Promise<void>>();
  const answered: TestJob[] = [];
  const report = (): boolean => {
    if (running.size > 0) post("jobs", Object.fromEntries([...running].map(([id, each]) => [id, each.snapshot()])));
    return running.size > 0;
  };
  const keepAlive = createRepeater(tools.clock, HEARTBEAT_SEC, report);
  const abort = (id: string, reason: string): void => {
    const found = running.get(id);
    found?.abort(reason);
    // The runner of a function reports that function's end itself.
    if (found && answered.includes(found.job)) found.close();
  };
  const launch = (data: unknown): void => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const closed = (id: string): void => {
      running.delete(id);
      ends.delete(promise);
      resolve();
    };
    const job = createTestJob(data, { post, closed });
    const { id, event, sent } = job.job;
    // The engine may repeat a launch message when it is unsure whether it arrived.
    if (running.has(id)) return;
    running.set(id, job);
    ends.add(promise);
    keepAlive();
    const call = sent["command"] === "[host-function]" ? functionOf(event) : undefined;
    if (call) return void runHostFunction(call, job, tools);
    answered.push(job.job);
    if (onJob) void answer(onJob, job);
  };
  return {
    answered,
    report,
    take({ cmd, data }) {
      if (cmd === "launch_job") launch(data);
      if (cmd === "abort_job" && isObject(data)) abort(String(data["id"]), String(data["reason"] ?? "Aborted"));
    },
    async stop() {
      for (const id of [...running.keys()]) abort(id, "Server is shutting down.");
      await Promise.all(ends);
    },
  };
}

async function answer(onJob: NonNullable<TestServerOptions["onJob"]>, { job, close }: RunningJob): Promise<void> {
  try {
    const result = await onJob(job);
    if (result !== undefined && !job.isOver) close(result);
  } catch (error) {
    if (!job.isOver) close({ code: 1, description: messageOf(error) });
  }
}
