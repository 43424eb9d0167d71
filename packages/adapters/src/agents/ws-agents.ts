import type { AddressInfo, Server } from "node:net";
import type { AgentTransport } from "@signalbox/core/adapter";
import { WebSocketServer } from "ws";
import { type ConnectionServer, countConnections, createEntrance } from "./entrance/entrance.ts";
import { type ListenOptions, openListener } from "./entrance/listener.ts";
import type { Arrivals } from "./entrance/slices.ts";
import { attachUpgrades, refuseUpgrade, type UpgradeListener, type UpgradeServer } from "./entrance/upgrades.ts";
import { PIECE_BYTES } from "./frames/gate.ts";
import { type Limits, limitsOf, type WsAgentsOptions } from "./options.ts";
import { openSession, type Session } from "./session.ts";

/** Transport for satellites and pages over WebSocket. */
export interface WsAgents extends AgentTransport {
  /**
   * Handles WebSocket requests for a path of the host's own server, before or after the engine starts; until then they
   * are answered 503. Satellites always ask for `/`, and pages may, too; with `*` all WebSocket requests are handled.
   * Everything else stays with the server. Disposing releases the path, and so does stopping the engine.
   */
  attach(server: UpgradeServer, options?: { readonly path?: string }): Disposable;
  /**
   * Opens a separate port, which is closed when the engine stops. Satellites send HTTP requests to it as well:
   * `requests` answers them. Rejects with the error of Node when the port cannot be opened.
   */
  listen(options: ListenOptions): Promise<AddressInfo>;
  /**
   * Creates an entrance for the host's own server (of `node:http` or `node:https`): call `listen` on the entrance
   * instead of the server, with a `backlog` of 4096, and close it instead of the server. When a whole fleet reconnects
   * at once, it opens connections gradually, which keeps the event loop free; the server gets them as its own.
   */
  entrance(server: ConnectionServer): Server;
  /** Number of open sockets, joined or not. */
  readonly size: number;
}

/**
 * Lets satellites connect over WebSocket, with the protocol that they already speak.
 *
 * One message is one text frame. Everything that a satellite can send is bounded. Satellites take turns, and their
 * messages are handled in slices of at most 5 ms, even when thousands reconnect at once: a hostile satellite harms only
 * itself.
 *
 * @throws TypeError for a bound that is not a positive whole number, and for an unknown option.
 * @see docs/contract/satellites.md#connection, docs/contract/satellites.md#bounds
 */
export function wsAgents(options: WsAgentsOptions = {}): WsAgents {
  const limits = limitsOf(options);
  const taken = new Set<Disposable>();
  const wss = createSocketServer(limits, options);
  const arrivals: Arrivals = { count: 0 };
  let session: Session | undefined;
  const take: UpgradeListener = (request, socket, head) => {
    // Until its turn comes the socket has no other listener, and an unhandled error would end the process.
    socket.on("error", ignore);
    if (session) session.take(request, socket, head);
    else refuseUpgrade(socket, "503 Service Unavailable", NO_ENGINE);
  };
  return {
    attach(server, { path = "/" } = {}) {
      if (typeof Object(server).on !== "function")
        throw new TypeError("wsAgents: attach takes a server of node:http, such as app.listen(…) returns");
      return keepIn(taken, [attachUpgrades(server, path, take), countConnections(server, arrivals)]);
    },
    entrance: (server) => createEntrance(server, arrivals),
    async listen(given) {
      const listener = await openListener(given, { take, arrivals, onFault: (error) => session?.noteFault(error) });
      taken.add(listener);
      return listener.address;
    },
    get size() {
      return session?.size() ?? 0;
    },
    async start(context) {
      if (session) throw new Error("This transport was started already");
      session = openSession({ context, limits, wss, options, arrivals });
    },
    async stop() {
      const ending = session;
      session = undefined;
      await ending?.end();
      for (const one of taken) one[Symbol.dispose]();
      taken.clear();
    },
  };
}

/** One disposable for all parts, kept in the set until it is disposed. */
function keepIn(taken: Set<Disposable>, parts: readonly Disposable[]): Disposable {
  const whole: Disposable = {
    [Symbol.dispose]() {
      taken.delete(whole);
      for (const part of parts) part[Symbol.dispose]();
    },
  };
  taken.add(whole);
  return whole;
}

const NO_ENGINE =
  "No engine runs behind this port: give wsAgents() to createSignalbox({ agents }), and wait for start().";

const MAX_PARTS = 256;
/** Twice as many pieces as the gate makes of the longest message, on any network. */
const maxPieces = (maxPayload: number): number => 2 * Math.ceil(maxPayload / PIECE_BYTES) + MAX_PARTS;

const createSocketServer = ({ maxPayload }: Limits, { compression }: WsAgentsOptions): WebSocketServer =>
  new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload,
    // Agents send each message in one frame. Fragments of a few bytes cost more than their bytes, which counting bytes
    // would not show.
    maxFragments: MAX_PARTS,
    maxBufferedChunks: maxPieces(maxPayload),
    // Pings are answered within a bound, which `ws` does not offer as an option.
    autoPong: false,
    perMessageDeflate: compression ? { serverNoContextTakeover: true, threshold: 1024 } : false,
  });

const ignore = (): void => undefined;
