import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { AgentTransportContext } from "@signalbox/core/adapter";
import type { WebSocket, WebSocketServer } from "ws";
import { createDoor, type Door } from "./entrance/door.ts";
import { isForeign, sessionOf } from "./entrance/origin.ts";
import type { Arrivals } from "./entrance/slices.ts";
import { refuseUpgrade, type UpgradeListener } from "./entrance/upgrades.ts";
import { createEncoder } from "./frames/frames.ts";
import type { Limits, WsAgentsOptions } from "./options.ts";
import { createIntake } from "./peer/intake.ts";
import { goAway, openPeer, type Peer, type PeerTools, refuseLarge } from "./peer/peer.ts";
import { createTicks, type Ticks } from "./peer/ticks.ts";

/** The run of a transport between its start and its stop. */
export interface Session {
  readonly take: UpgradeListener;
  /** Records that a port of its own could not accept a connection, for example for lack of file descriptors. */
  noteFault(error: Error): void;
  size(): number;
  /**
   * Handles the messages that have arrived, tells all agents to reconnect later, and waits until all sockets are
   * closed.
   */
  end(): Promise<void>;
}

interface Options {
  readonly context: AgentTransportContext;
  readonly limits: Limits;
  readonly wss: WebSocketServer;
  readonly options: Pick<WsAgentsOptions, "clientAddress" | "isSecure">;
  readonly arrivals: Arrivals;
}

interface State extends Options {
  readonly tools: PeerTools;
  readonly door: Door<Duplex>;
  readonly peers: Set<Peer>;
  readonly ticks: Ticks;
  isEnding: boolean;
  /** Another listener of the server has taken a socket first. */
  hasLost: boolean;
  /** Called when the last socket is gone. */
  emptied: () => void;
}

const FOREIGN = "A page of another origin may not connect. A proxy before this port has to keep the header Host.";
const OTHER_LISTENER =
  "Another listener takes the WebSockets of this path as well: one of the two needs a path of its own";
const UNAVAILABLE = "503 Service Unavailable";

export function openSession(given: Options): Session {
  const { context, limits, arrivals } = given;
  const { clock } = context;
  const peers = new Set<Peer>();
  const tools: PeerTools = { context, limits, intake: createIntake(clock, limits, arrivals), encode: createEncoder() };
  const door = createDoor<Duplex>(limits);
  const ticks = createTicks(clock, peers);
  const parts = { tools, door, peers, ticks };
  const state: State = { ...given, ...parts, isEnding: false, hasLost: false, emptied: () => undefined };
  return {
    take: (request, socket, head) => take(state, request, socket, head),
    noteFault: (error) => context.log.error({ error }, "The port of satellites could not accept a connection"),
    size: () => peers.size,
    async end() {
      state.isEnding = true;
      ticks[Symbol.dispose]();
      for (const peer of peers) peer.pause();
      await tools.intake.idle();
      await new Promise<void>((resolve) => {
        state.emptied = resolve;
        if (peers.size === 0) resolve();
        for (const peer of peers) tools.intake.run(() => goAway(peer));
      });
    },
  };
}

function take(state: State, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { context, door, tools } = state;
  if (isForeign(request.headers)) {
    refuseUpgrade(socket, "403 Forbidden", FOREIGN);
    return;
  }
  const caller = askHost(state, request);
  if (!caller) {
    refuseUpgrade(socket, "500 Internal Server Error");
    return;
  }
  const { ip } = caller;
  if (state.isEnding || !door.enter(socket, ip)) {
    if (!state.isEnding) context.log.warn({ ip }, "A socket of an agent was refused: too many are open");
    refuseUpgrade(socket, UNAVAILABLE);
    return;
  }
  socket.once("close", () => door.left(socket));
  tools.intake.run(() => {
    if (socket.destroyed) return;
    if (state.isEnding) refuseUpgrade(socket, UNAVAILABLE);
    else upgrade(state, { ...caller, request, socket, head });
  });
}

/** Answers of the host's functions about a request: its address, and whether it came without TLS. */
interface Caller {
  readonly ip: string;
  readonly plain: boolean;
}

/** Undefined when a function of the host throws: in a listener of its server that would end the process. */
function askHost({ context, options }: State, request: IncomingMessage): Caller | undefined {
  try {
    const ip = options.clientAddress?.(request) ?? unwrap(request.socket.remoteAddress ?? "");
    return { ip, plain: !(options.isSecure?.(request) ?? "encrypted" in request.socket) };
  } catch (error) {
    context.log.error({ error }, "A satellite was refused: clientAddress or isSecure of wsAgents failed");
    return undefined;
  }
}

interface Arrival extends Caller {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Makes a WebSocket of the socket; answers a malformed request. */
function upgrade(state: State, { request, socket, head, ip, plain }: Arrival): void {
  const { context, door, wss } = state;
  const caller = {
    ...{ socket, ip, plain },
    reachedBy: hostOf(request),
    sessionId: sessionOf(request.headers),
  };
  try {
    wss.handleUpgrade(request, socket, head, (ws) => open(state, { ...caller, ws }));
  } catch (error) {
    // The socket belongs to another listener of the host's server by now, so it stays open.
    door.left(socket);
    // Once, since every visitor of the other listener may come by here.
    if (!state.hasLost) context.log.error({ error }, OTHER_LISTENER);
    state.hasLost = true;
  }
}

interface Opened extends Caller {
  readonly ws: WebSocket;
  readonly socket: Duplex;
  readonly reachedBy: string | undefined;
  readonly sessionId: string | undefined;
}

function open(state: State, caller: Opened): void {
  const { socket } = caller;
  const { door, peers, ticks, tools } = state;
  const count = (chunk: Buffer): void => {
    const excess = door.received(socket, chunk.length);
    if (excess === socket) refuseLarge(peer);
    else excess?.destroy();
  };
  const joined = (): void => {
    socket.off("data", count);
    door.joined(socket);
  };
  const { ws } = caller;
  const peer = openPeer(tools, { ...caller, joined });
  peers.add(peer);
  ticks.begin();
  socket.on("data", count);
  ws.once("close", () => {
    peers.delete(peer);
    if (peers.size === 0) state.emptied();
  });
}

/** Host by which an agent reached the engine. The agent puts it into a URL, so an IPv6 address keeps its brackets. */
function hostOf({ headers }: IncomingMessage): string | undefined {
  const [, host] = /^([\w.-]{1,253}|\[[\da-f:.]+\])(?::\d{1,5})?$/i.exec(headers.host ?? "") ?? [];
  return host;
}

/** `::ffff:10.0.0.1` is the IPv4 address 10.0.0.1. */
const unwrap = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");
