import type { AgentTransportContext } from "@signalbox/core/adapter";
import { membersOf } from "@signalbox/core/adapter";
import type { HostMetrics } from "../host-metrics.ts";
import type { JobBoard } from "../job/job-board.ts";
import { pause } from "../job/job-output.ts";
import type { MonitorPlugins } from "../monitor-plugins.ts";
import { createLocalLink, type LocalLink } from "./agent-link.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { createSampler, type Sampler } from "./sampler.ts";

/** The agent between start and stop: one link at a time, its handshake, and the node's requests. */
export interface AgentSession {
  /** Resolves when jobs can be sent here, or after five seconds. */
  start(): Promise<void>;
  stop(): Promise<void>;
  post(cmd: string, data: unknown): void;
  readonly serverId: () => string;
  readonly pluginScript: (id: string) => string | undefined;
}

export interface AgentParts {
  readonly context: AgentTransportContext;
  readonly settings: {
    readonly id: string;
    readonly hostname: string;
    readonly minuteEverySec: number;
    readonly quickEverySec: number;
  };
  readonly metrics: HostMetrics;
  readonly board: JobBoard;
  readonly plugins: MonitorPlugins;
}

/** The start of the host waits no longer for its own agent. */
const MAX_START_MS = 5000;
/** Seconds before the next attempt, doubled each time like a satellite's. */
const FIRST_RETRY_SEC = 1;
const LAST_RETRY_SEC = 30;

type Message = Readonly<Record<string, unknown>>;
type Handler = (data: Message, raw: unknown) => void;

export function createAgentSession(parts: AgentParts): AgentSession {
  const { context, settings, board, metrics, plugins } = parts;
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const state: State = { serverId: settings.id, scripts: new Map(), isJoined: false, answer };
  const outbox = createOutbox();
  let link: LocalLink | undefined;
  const post = (cmd: string, data: unknown): void => {
    if (state.isJoined || cmd === "join" || cmd === "echoback") link?.post(cmd, data);
    else outbox.keep(cmd, data);
  };
  const sampler = createSampler({ ...parts, ...context, post, serverId: () => state.serverId });
  const connection = createConnection(context, {
    async open() {
      link = createLocalLink(context, {
        receive({ cmd, data }) {
          if (Object.hasOwn(handlers, cmd)) handlers[cmd]?.(membersOf(data), data);
        },
        closed: () => connection.again(),
      });
      const { post: postHere } = link;
      const info = await metrics.info();
      postHere("hello", { hostname: settings.hostname, id: state.serverId, info });
    },
    close() {
      state.isJoined = false;
      state.answer();
      sampler.stop();
      link?.end();
      link = undefined;
    },
  });
  const handlers: Readonly<Record<string, Handler>> = {
    ...handshake(parts, { state, connection, sampler, post, outbox }),
    ...commands(parts, { state, sampler, post }),
  };
  return {
    post,
    serverId: () => state.serverId,
    pluginScript: (id) => state.scripts.get(id),
    async start() {
      await connection.open();
      await Promise.race([answered, pause(context.clock, MAX_START_MS)]);
    },
    async stop() {
      connection.end();
      sampler.stop();
      await Promise.all([plugins.stop(), board.stop()]);
      connection.close();
      metrics.close();
    },
  };
}

interface State {
  serverId: string;
  scripts: ReadonlyMap<string, string>;
  isJoined: boolean;
  /** Called when the first handshake has succeeded or failed. */
  readonly answer: () => void;
}

interface Wiring {
  readonly state: State;
  readonly sampler: Sampler;
  readonly post: (cmd: string, data: unknown) => void;
}

type Connection = ReturnType<typeof createConnection>;

/** Reconnects after a growing wait, until `end` is called. */
function createConnection(
  { clock, log }: AgentTransportContext,
  { open, close }: { open: () => Promise<void>; close: () => void },
) {
  let timer: Disposable | undefined;
  let waitSec = FIRST_RETRY_SEC;
  let ended = false;
  const again = (): void => {
    close();
    if (ended) return;
    timer?.[Symbol.dispose]();
    timer = clock.after(waitSec * 1000, () => void open().catch(failed));
    waitSec = Math.min(waitSec * 2, LAST_RETRY_SEC);
  };
  const failed = (error: unknown): void => {
    log.error({ error }, "Local agent could not connect");
    again();
  };
  return {
    open,
    close,
    again,
    joined() {
      waitSec = FIRST_RETRY_SEC;
    },
    end() {
      ended = true;
      timer?.[Symbol.dispose]();
    },
  };
}

function handshake(
  parts: AgentParts,
  { state, connection, sampler, post, outbox }: Wiring & { connection: Connection; outbox: Outbox },
) {
  const giveUp = (reason: string): void => {
    parts.context.log.error({ reason }, "Local agent ends");
    connection.end();
    connection.close();
  };
  return {
    hello({ id }: Message) {
      if (typeof id === "string" && id) state.serverId = id;
      // A trusted link needs no token.
      post("join", { token: "" });
    },
    joined(data: Message) {
      connection.joined();
      state.isJoined = true;
      takeUpdate(parts, state, data);
      sampler.configure(membersOf(data["config"]));
      if (parts.board.count() > 0) parts.board.reconnected();
      outbox.flush(post);
      sampler.start();
      state.answer();
    },
    auth_failure: ({ description }: Message) => giveUp(String(description)),
    uninstall: () => giveUp("The server was deleted"),
    retry: () => connection.again(),
    redirect: () => connection.again(),
  };
}

function commands(parts: AgentParts, { state, sampler, post }: Wiring): Readonly<Record<string, Handler>> {
  const { board, plugins, context } = parts;
  const test = async ({ plugin_id, request_id }: Message): Promise<void> => {
    const result = await plugins.test(String(plugin_id));
    post("monitorPluginTestResult", { plugin_id, request_id, ...result });
  };
  return {
    echo: (_, raw) => post("echoback", raw),
    launch_job: (data) => board.launch(data),
    abort_job: (data) => board.abort(data),
    update: (data) => takeUpdate(parts, state, data),
    updateConfig: (data) => sampler.configure(data),
    testMonitorPlugin: (data) =>
      void test(data).catch((error: unknown) => context.log.warn({ error }, "Test of a monitor plugin failed")),
    upgrade: () => post("notice", { description: "The local agent is upgraded together with its host." }),
    // Irrelevant within one process: there is only this node.
    masterData: () => undefined,
  };
}

function takeUpdate({ plugins }: AgentParts, state: State, data: Message): void {
  const { groups, plugins: events, commands: monitors } = data;
  if (groups !== undefined) plugins.setGroups(groups);
  if (monitors !== undefined) plugins.replace(monitors);
  if (events !== undefined) state.scripts = scriptsOf(events);
}

function scriptsOf(list: unknown): Map<string, string> {
  const rows = Array.isArray(list) ? list.map(membersOf) : [];
  const withScript = rows.filter(({ script }) => typeof script === "string" && script);
  return new Map(withScript.map(({ id, script }) => [String(id), String(script)]));
}
