import type {
  AgentLink,
  AgentMessage,
  AgentTransport,
  AgentTransportContext,
} from "../ports/agents/agent-transport.ts";
import { joinToken, type SatelliteProof } from "./socket-satellite.ts";

/** How a scripted agent introduces itself. */
export interface ScriptedConnect {
  readonly hostname: string;
  /** Absent or empty = the node assigns one. */
  readonly id?: string;
  readonly info?: Readonly<Record<string, unknown>>;
  /** Bootstrap members of the hello message: title, groups … */
  readonly initial?: Readonly<Record<string, unknown>>;
  readonly ip?: string;
  /**
   * Proof of the agent: "trusted" needs none, `clusterKey` and `serverKey` compute the token from a secret key, `token` is sent
   * unchanged. Default "trusted".
   */
  readonly join?: "trusted" | SatelliteProof;
  /** Default true. */
  readonly answersEcho?: boolean;
  /** True = its tokens cross a network unencrypted. Default false. */
  readonly plain?: boolean;
  /** Called with each message of the node, in a separate turn, so that neither side is re-entered. */
  readonly onMessage?: (message: AgentMessage) => void;
}

/** One connection of the scripted agent. */
export interface ScriptedServer {
  /** Server id, once the node has sent it. */
  readonly id: string;
  /** Messages of the node, in order; copies, as after transmission. */
  readonly received: readonly AgentMessage[];
  readonly isOpen: boolean;
  /** Why the node closed the connection. */
  readonly closeReason: string | undefined;
  send(cmd: string, data: unknown): void;
  /** Ends the connection from the agent's side. */
  close(): void;
  /** The first message of a kind, whether already received or still to come; rejects if the connection ends before it. */
  message(cmd: string): Promise<AgentMessage>;
}

/** An agent that a test controls, over the real protocol. */
export interface ScriptedAgent extends AgentTransport {
  /** Resolves with the node's welcome; rejects when the node refuses or closes the connection. */
  connect(options: ScriptedConnect): Promise<ScriptedServer>;
  /** Opens a connection without sending anything. */
  open(options?: ScriptedOpen): ScriptedServer;
}

export type ScriptedOpen = Pick<ScriptedConnect, "ip" | "answersEcho" | "plain" | "onMessage"> & {
  readonly trusted?: boolean;
};

interface Waiter {
  readonly cmd: string;
  readonly resolve: (message: AgentMessage) => void;
  readonly reject: (error: Error) => void;
}

/**
 * An `AgentTransport` for tests: servers connect when the test tells them to, messages are copied as if transmitted, echoes are
 * answered. Nothing here waits for a clock.
 */
export function scriptedAgent(): ScriptedAgent {
  let context: AgentTransportContext | undefined;
  const servers = new Set<ScriptedServer>();
  let count = 0;

  const open: ScriptedAgent["open"] = (options = {}) => {
    const { ip = "127.0.0.1", trusted = false, answersEcho = true, plain = false, onMessage } = options;
    if (!context) throw new Error("The engine has not started this transport");
    const facts = { id: `link${++count}`, ip, trusted, plain };
    const server = openServer(context, { ...facts, answersEcho, onMessage });
    servers.add(server);
    return server;
  };
  return {
    open,
    async connect(options) {
      const { hostname, id = "", info = {}, initial = {}, join = "trusted" } = options;
      const trusted = join === "trusted";
      const server = open({ ...options, trusted });
      server.send("hello", { ...initial, hostname, id, info });
      const hello = (await server.message("hello")).data as { nonce: string; id: string };
      server.send("join", { token: trusted ? "" : joinToken(join, hello) });
      await server.message("joined");
      return server;
    },
    async start(given) {
      context = given;
    },
    async stop() {
      for (const server of servers) server.close();
      context = undefined;
    },
  };
}

interface LinkOptions {
  readonly id: string;
  readonly ip: string;
  readonly trusted: boolean;
  readonly answersEcho: boolean;
  readonly plain: boolean;
  readonly onMessage: ScriptedConnect["onMessage"];
}

function openServer(
  { receiver }: AgentTransportContext,
  { answersEcho, onMessage, ...facts }: LinkOptions,
): ScriptedServer {
  const received: AgentMessage[] = [];
  const waiters = new Set<Waiter>();
  let isOpen = true;
  let closeReason: string | undefined;
  let serverId = "";

  const fail = (reason: string): void => {
    for (const waiter of waiters) waiter.reject(new Error(reason));
    waiters.clear();
  };
  const end = (reason: string): void => {
    if (!isOpen) return;
    isOpen = false;
    fail(reason);
    receiver.disconnected(link);
  };
  const link: AgentLink = {
    ...facts,
    send(message) {
      if (!isOpen) return false;
      const copy: AgentMessage = JSON.parse(JSON.stringify(message));
      received.push(copy);
      if (copy.cmd === "hello") serverId = (copy.data as { id: string }).id;
      if (copy.cmd === "echo" && answersEcho) receiver.received(link, { cmd: "echoback", data: copy.data });
      for (const waiter of [...waiters]) {
        if (waiter.cmd !== copy.cmd) continue;
        waiters.delete(waiter);
        waiter.resolve(copy);
      }
      if (onMessage) queueMicrotask(() => isOpen && onMessage(copy));
      return true;
    },
    close(reason) {
      closeReason = reason;
      end(`The conductor closed the connection: ${reason}`);
    },
  };
  receiver.connected(link);
  return {
    received,
    get id() {
      return serverId;
    },
    get isOpen() {
      return isOpen;
    },
    get closeReason() {
      return closeReason;
    },
    send(cmd, data) {
      if (!isOpen) throw new Error("The connection has ended");
      receiver.received(link, JSON.parse(JSON.stringify({ cmd, data })) as AgentMessage);
    },
    close: () => end("The agent closed the connection"),
    message(cmd) {
      const known = received.find((message) => message.cmd === cmd);
      if (known) return Promise.resolve(known);
      if (!isOpen) return Promise.reject(new Error(`The connection has ended: ${closeReason ?? "by the agent"}`));
      return new Promise((resolve, reject) => waiters.add({ cmd, resolve, reject }));
    },
  };
}
