import type { AddressInfo } from "node:net";
import type { AgentTransport } from "@signalbox/core";
import { WebSocketServer } from "ws";
import { type ListenOptions, openListener } from "./listener.ts";
import { limitsOf, type WsAgentsOptions } from "./options.ts";
import { openSession, type Session } from "./session.ts";
import { attachUpgrades, refuseUpgrade, type UpgradeListener, type UpgradeServer } from "./upgrades.ts";

/** Satellites over WebSocket. */
export interface WsAgents extends AgentTransport {
  /**
   * Takes the WebSocket requests for a path of a server of yours, before or after the engine starts; until then they
   * are answered 503. Satellites always ask for `/`. Everything else stays with the server. Disposing gives the path
   * back, and so does the stop of the engine.
   */
  attach(server: UpgradeServer, options?: { readonly path?: string }): Disposable;
  /**
   * Opens a port of its own, which the stop of the engine closes. Satellites send HTTP requests to it as well: give
   * what answers them. Rejects with the error of Node when the port cannot be had.
   */
  listen(options: ListenOptions): Promise<AddressInfo>;
  /** Open sockets, those that have not joined included. */
  readonly size: number;
}

/**
 * Lets satellites connect over WebSocket, with the protocol that they speak already.
 *
 * One message is one text frame. Everything a satellite can send is bounded, and what it sends is handled in turns with
 * all the others and in slices of at most 10 ms of loop time, thousands of reconnects at once included: a hostile one
 * harms nobody but itself.
 *
 * @throws TypeError for a bound that is no positive whole number.
 * @see part 23 §1, §12
 */
export function wsAgents(options: WsAgentsOptions = {}): WsAgents {
  const limits = limitsOf(options);
  const taken = new Set<Disposable>();
  const wss = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: limits.maxPayload,
    perMessageDeflate: options.compression ? { serverNoContextTakeover: true, threshold: 1024 } : false,
  });
  let session: Session | undefined;
  const take: UpgradeListener = (request, socket, head) => {
    // Until its turn comes nobody else listens, and an error that nobody hears would end the process.
    socket.on("error", ignore);
    if (session) session.take(request, socket, head);
    else refuseUpgrade(socket, "503 Service Unavailable");
  };
  return {
    attach(server, { path = "/" } = {}) {
      const attached = attachUpgrades(server, path, take);
      taken.add(attached);
      return {
        [Symbol.dispose]() {
          taken.delete(attached);
          attached[Symbol.dispose]();
        },
      };
    },
    async listen(given) {
      const listener = await openListener(given, take);
      taken.add(listener);
      return listener.address;
    },
    get size() {
      return session?.size() ?? 0;
    },
    async start(context) {
      if (session) throw new Error("This transport was started already");
      session = openSession({ context, limits, wss, options });
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

const ignore = (): void => undefined;
