import { createServer, type Server, type Socket } from "node:net";
import { type Clock, systemClock } from "@signalbox/core/adapter";
import { type Arrivals, createSlices } from "./slices.ts";
import type { UpgradeServer } from "./upgrades.ts";

/** The members needed of servers from `node:http` and `node:https`, and of servers that adapters build on them. */
export interface ConnectionServer {
  emit(event: "connection", socket: Socket): boolean;
  emit(event: "listening"): boolean;
  close(): unknown;
}

interface EntranceLimits {
  /**
   * Most open connections that have not sent anything yet: the first data of all of them may arrive in one turn of the
   * event loop.
   */
  readonly maxSilent: number;
  /** Most connections that are accepted but not open yet; further ones are cut off, and reconnect later. */
  readonly maxWaiting: number;
}

const LIMITS: EntranceLimits = { maxSilent: 256, maxWaiting: 20_000 };
/** Milliseconds after which a silent connection no longer holds up others. */
const SILENT_MS = 100;
const CHECK_MS = 1;

/**
 * Creates an entrance for a server that does not listen itself: call `listen` and `close` on the entrance.
 *
 * A server that has accepted thousands of connections reads the first requests of all of them in one turn of the event
 * loop, which takes a tenth of a second for 2,000 satellites. The entrance accepts them unread, and opens them
 * gradually.
 */
export function createEntrance(
  server: ConnectionServer,
  arrivals: Arrivals,
  limits: EntranceLimits = LIMITS,
  clock: Clock = systemClock,
): Server {
  const waiting = new Set<Socket>();
  const silent = createSilent(clock, limits.maxSilent);
  let isChecking = false;
  const open = (socket: Socket): void => {
    waiting.delete(socket);
    silent.add(socket);
    handOver(server, socket);
  };
  const next = (): (() => void) | undefined => {
    const [socket] = waiting;
    if (!socket) return undefined;
    if (!silent.isFull()) return () => open(socket);
    if (!isChecking) setTimeout(check, CHECK_MS);
    isChecking = true;
    return undefined;
  };
  const wake = createSlices(clock, arrivals, next);
  const check = (): void => {
    isChecking = false;
    wake();
  };
  const entrance = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, (socket) => {
    arrivals.count += 1;
    if (waiting.size >= limits.maxWaiting) socket.destroy();
    else {
      waiting.add(socket);
      wake();
    }
  });
  // On this event a server starts its timeouts for incomplete request heads.
  entrance.on("listening", () => server.emit("listening"));
  closeTogether(entrance, server, waiting);
  return entrance;
}

/** Lets the end of the entrance cut off the waiting connections and close the server. */
function closeTogether(entrance: Server, server: ConnectionServer, waiting: Set<Socket>): void {
  const close = entrance.close.bind(entrance);
  entrance.close = (done) => {
    for (const socket of waiting) socket.destroy();
    waiting.clear();
    server.close();
    return close(done);
  };
}

/** An error of the host's listener stays uncaught, as without the entrance. */
function handOver(server: ConnectionServer, socket: Socket): void {
  try {
    server.emit("connection", socket);
  } finally {
    socket.resume();
  }
}

/** Counts the connections of a server without an entrance. */
export function countConnections(server: UpgradeServer, arrivals: Arrivals): Disposable {
  const count = (): void => {
    arrivals.count += 1;
  };
  server.on("connection", count);
  return { [Symbol.dispose]: () => void server.off("connection", count) };
}

interface Silent {
  add(socket: Socket): void;
  isFull(): boolean;
}

function createSilent(clock: Clock, max: number): Silent {
  const openedMs = new Map<Socket, number>();
  const forget = (): void => {
    const tooOld = clock.monotonicMs() - SILENT_MS;
    for (const [socket, since] of openedMs)
      if (socket.bytesRead > 0 || socket.destroyed || since < tooOld) openedMs.delete(socket);
  };
  return {
    add: (socket) => void openedMs.set(socket, clock.monotonicMs()),
    isFull() {
      if (openedMs.size >= max) forget();
      return openedMs.size >= max;
    },
  };
}
