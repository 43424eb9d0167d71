import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { AgentLink, AgentMessage, AgentTransportContext, Channel, OpenChannel } from "@signalbox/core/adapter";
import type { RawData, WebSocket } from "ws";
import { readFrame } from "../frames/frames.ts";
import { type Gate, openGate } from "../frames/gate.ts";
import type { Limits } from "../options.ts";
import { CHANNEL_RATE, channelSocket, MAX_CHANNEL_MESSAGE } from "./channel-socket.ts";
import type { Inlet, Intake } from "./intake.ts";
import { createRate, type Rate } from "./rate.ts";

/** One socket of an agent. */
export interface Peer {
  readonly link: AgentLink;
  /** Call it once a second. */
  tick(): void;
  /** Stops reading until the socket is closed. */
  pause(): void;
  close(code: number, reason: string): void;
  /** Ends it without a close frame. */
  terminate(): void;
}

/** What all sockets of a transport share. */
export interface PeerTools {
  readonly context: AgentTransportContext;
  readonly limits: Limits;
  readonly intake: Intake;
  readonly encode: (message: AgentMessage) => Buffer;
}

export interface Caller {
  readonly ws: WebSocket;
  /** The stream that `ws` reads and writes. */
  readonly socket: Duplex;
  readonly ip: string;
  readonly plain: boolean;
  /** Host named in the request; undefined = none that is usable. */
  readonly reachedBy: string | undefined;
  /** Session id in the cookie of the request; undefined = none. */
  readonly sessionId: string | undefined;
  /** Called when the agent has joined. */
  readonly joined: () => void;
}

const MAX_MALFORMED = 10;
/** Most pings and pongs of one socket per second. Agents send none, something in between may send a few. */
const MAX_PINGS = 20;
const GOING_AWAY = 1001;
const UNSUPPORTED = 1003;
const POLICY = 1008;
const TOO_BIG = 1009;
const NORMAL = 1000;
const TOO_LONG = "A message is too long.";
/** Most bytes of the reason in a close frame. */
const MAX_REASON = 123;
/** Milliseconds that the other side has to close as well. */
const CLOSE_MS = 2000;
/** Consecutive seconds without progress in sending, after which the agent counts as not reading. */
const MAX_UNREAD_SEC = 60;

/** Reasons to pause; `turn` = bytes that were read wait until others have had their turn. */
type Pause = "queue" | "rate" | "closing" | "turn";

/** State of one socket. */
interface State extends Caller {
  readonly tools: PeerTools;
  readonly peer: Peer;
  readonly inlet: Inlet;
  rate: Rate;
  readonly gate: Gate;
  /** Why the socket is not being read. */
  readonly pauses: Set<Pause>;
  hasJoined: boolean;
  /** True until the first message is handled. */
  isNew: boolean;
  /** The channel that the first message opened; undefined = an agent, or not known yet. */
  channel: Channel | undefined;
  malformed: number;
  /** Pings and pongs in the current second. */
  pings: number;
  /** Bytes that waited to be sent a second ago, and the number of seconds for which they have not decreased. */
  waiting: number;
  unreadSec: number;
}

/** Takes over an open socket, and reports it to the core. */
export function openPeer(tools: PeerTools, caller: Caller): Peer {
  const { context, limits, intake } = tools;
  const { ip, plain, reachedBy } = caller;
  const link: AgentLink = {
    id: context.ids.short("ws"),
    ip,
    trusted: false,
    plain,
    ...(reachedBy === undefined ? {} : { reachedBy }),
    send: (message) => send(state, message),
    close: (reason) => close(state, NORMAL, reason),
  };
  const peer: Peer = {
    link,
    tick: () => tick(state),
    pause: () => pauseOpen(state),
    close: (code, reason) => close(state, code, reason),
    terminate: () => reset(state),
  };
  const inlet = intake.open({
    handle: (frame) => handle(state, frame),
    setFull: (isFull) => setPause(state, "queue", isFull),
    ended: () => gone(state),
  });
  const gate = openGate(caller.socket, {
    hasJoined: () => state.hasJoined,
    isPaused: () => isPaused(state),
    setHolding: (isHolding) => setPause(state, "turn", isHolding),
    run: intake.run,
    refuse: () => refuseFrames(state),
  });
  const rate = createRate(limits);
  const counts = { hasJoined: false, malformed: 0, pings: 0, waiting: 0, unreadSec: 0 };
  const parts = { tools, peer, inlet, rate, gate, pauses: new Set<Pause>() };
  const state: State = { ...caller, ...parts, ...counts, isNew: true, channel: undefined };
  listen(state);
  context.receiver.connected(link);
  return peer;
}

function listen(state: State): void {
  const { ws, ip, gate, inlet, peer, tools } = state;
  ws.on("message", (data, isBinary) => receive(state, data, isBinary));
  ws.on("ping", (data) => answerPing(state, data));
  ws.on("pong", () => void countPing(state));
  // After an error the socket closes, which is handled below.
  ws.on("error", (error) => {
    gate.shut();
    tools.context.log.debug({ link: peer.link.id, ip, error }, "A socket of an agent failed");
  });
  ws.on("close", inlet.finish);
}

function receive(state: State, data: RawData, isBinary: boolean): void {
  const { inlet, rate, tools, peer } = state;
  // By default `ws` passes one buffer per message.
  const frame = data as Buffer;
  if (isBinary) close(state, UNSUPPORTED, "Messages are text.");
  // Only a compressed frame can be longer than the bytes that the socket has sent.
  else if (!state.hasJoined && frame.length > tools.limits.maxHelloBytes) refuseLarge(peer);
  else if (state.channel && frame.length > MAX_CHANNEL_MESSAGE) refuseLarge(peer, TOO_LONG);
  else {
    if (rate.count(frame.length)) setPause(state, "rate", true);
    inlet.push(frame);
  }
}

function answerPing(state: State, data: Buffer): void {
  const { ws } = state;
  if (countPing(state)) ws.pong(data);
}

/** Counts a ping or pong; false when it is one too many. */
function countPing(state: State): boolean {
  const { ws } = state;
  // Messages in the same chunk as the last allowed one are still delivered after the close.
  if (ws.readyState !== ws.OPEN) return false;
  state.pings += 1;
  if (state.pings > MAX_PINGS) close(state, POLICY, "Too many pings.");
  return state.pings <= MAX_PINGS;
}

/** Closes a socket that sent too many frames, or resets it if it is already closing. */
function refuseFrames(state: State): void {
  const { ws } = state;
  if (ws.readyState === ws.OPEN) close(state, POLICY, "Too much was sent before joining.");
  else reset(state);
}

/** Closes a peer that sent too much. */
export const refuseLarge = (peer: Peer, why = "Too much was sent before joining."): void => peer.close(TOO_BIG, why);

function handle(state: State, frame: Buffer): void {
  const { peer, ip, tools } = state;
  const message = readFrame(frame);
  if (message) {
    state.malformed = 0;
    take(state, message, frame.length);
    return;
  }
  state.malformed += 1;
  if (state.malformed === 1) tools.context.log.warn({ link: peer.link.id, ip }, "An agent sent a malformed message");
  if (state.malformed >= MAX_MALFORMED) close(state, POLICY, "Too many malformed messages.");
}

/** The first message decides whether the socket belongs to an agent. */
function take(state: State, message: AgentMessage, bytes: number): void {
  const { context } = state.tools;
  const open = state.isNew ? context.channels.get(message.cmd) : undefined;
  state.isNew = false;
  if (state.channel) state.channel.received(message);
  else if (!open) context.receiver.received(state.peer.link, message);
  else if (bytes > MAX_CHANNEL_MESSAGE) refuseLarge(state.peer, TOO_LONG);
  else openChannel(state, open, message);
}

function openChannel(state: State, open: OpenChannel, first: AgentMessage): void {
  const { ws, socket, ip, sessionId, tools, peer } = state;
  tools.context.receiver.disconnected(peer.link);
  state.rate = createRate(CHANNEL_RATE);
  const ends = { close: peer.link.close, terminate: peer.terminate, refuseLarge: () => refuseLarge(peer, TOO_LONG) };
  state.channel = open(
    channelSocket({ ws, socket, id: peer.link.id, ip, sessionId, accepted: () => admit(state), ...ends }),
    first,
  );
}

/** Reports that the socket has closed. */
function gone({ channel, tools, peer }: State): void {
  if (channel) channel.disconnected();
  else tools.context.receiver.disconnected(peer.link);
}

function send(state: State, message: AgentMessage): boolean {
  const { ws, tools } = state;
  if (ws.readyState !== ws.OPEN) return false;
  try {
    const frame = tools.encode(message);
    if (ws.bufferedAmount + frame.length > tools.limits.maxBuffered) {
      giveUpReader(state);
      return false;
    }
    ws.send(frame, { binary: false });
  } catch (error) {
    tools.context.log.error({ cmd: message.cmd, error }, "A message could not be sent to an agent");
    return false;
  }
  if (message.cmd === "joined" && !state.hasJoined) admit(state);
  return true;
}

/** Lifts the bounds for sockets that have not joined. */
function admit(state: State): void {
  state.hasJoined = true;
  state.joined();
}

/** Closes with a reason and handles nothing more. A peer that breaks the rules is not even read any more. */
function close(state: State, code: number, reason: string): void {
  const { ws, inlet, pauses, gate } = state;
  if (ws.readyState !== ws.OPEN) return;
  inlet.drop();
  ws.close(code, Buffer.from(reason).subarray(0, MAX_REASON).toString());
  const timer = setTimeout(() => reset(state), CLOSE_MS).unref();
  ws.once("close", () => clearTimeout(timer));
  if (code === POLICY || code === TOO_BIG) {
    setPause(state, "closing", true);
    gate.shut();
  } else for (const why of [...pauses]) if (why !== "turn") setPause(state, why, false);
  gone(state);
}

export const goAway = (peer: Peer): void => peer.close(GOING_AWAY, "Signalbox is stopping.");

const isPaused = ({ pauses }: State): boolean => pauses.size > (pauses.has("turn") ? 1 : 0);

function setPause(state: State, why: Pause, isOn: boolean): void {
  const { ws, pauses, gate } = state;
  const before = pauses.size;
  if (isOn) pauses.add(why);
  else pauses.delete(why);
  if (before === 0 && pauses.size > 0) ws.pause();
  else if (before > 0 && pauses.size === 0) ws.resume();
  if (pauses.has("turn") && !isPaused(state)) gate.goOn();
}

/** A closing socket must still read the other side's close frame, or it waits for the timeout. */
function pauseOpen(state: State): void {
  if (state.ws.readyState === state.ws.OPEN) setPause(state, "closing", true);
}

function giveUpReader(state: State): void {
  const { tools, peer, ip } = state;
  tools.context.log.warn({ link: peer.link.id, ip }, "An agent does not read what it is sent");
  reset(state);
}

/** Resets a socket: after a normal close the system would try to send its buffer, of megabytes, for minutes. */
function reset({ ws, socket }: State): void {
  if (socket instanceof Socket && !("encrypted" in socket)) socket.resetAndDestroy();
  else ws.terminate();
}

function tick(state: State): void {
  const { bufferedAmount } = state.ws;
  state.unreadSec = bufferedAmount > 0 && bufferedAmount >= state.waiting ? state.unreadSec + 1 : 0;
  state.waiting = bufferedAmount;
  if (state.unreadSec >= MAX_UNREAD_SEC) giveUpReader(state);
  state.pings = 0;
  const verdict = state.rate.tick();
  if (verdict === "hopeless") close(state, POLICY, "Too many messages.");
  else setPause(state, "rate", verdict === "busy");
}
