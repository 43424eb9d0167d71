import type { Duplex } from "node:stream";
import { createFrameWalk, type FrameWalk } from "./frame-walk.ts";

/**
 * A gate between a socket and `ws`, which would handle all frames of a chunk in one turn: ten thousand of six bytes.
 */
export interface Gate {
  /** Hands on the bytes it holds, now that the socket may be read again. */
  goOn(): void;
  /** Drops the bytes it holds, and later ones. */
  shut(): void;
}

interface GateEnds {
  readonly hasJoined: () => boolean;
  /** True when another reason than the gate keeps the socket from being read. */
  readonly isPaused: () => boolean;
  /** Called when the gate begins to hold bytes, so that the socket must not be read, and when it has handed on all. */
  readonly setHolding: (isHolding: boolean) => void;
  /** Runs a task in turns with the tasks of all other sockets. */
  readonly run: (task: () => void) => void;
  /** Called when more frames came than an agent sends before it has joined. */
  readonly refuse: () => void;
}

/** Frames that `ws` gets in one piece, a tenth of a millisecond. */
const PORTION = 256;
/** Frames of two messages in as many parts as one may have; agents send two frames. */
const MAX_FRAMES_BEFORE_JOINING = 512;
/**
 * Pieces of a payload are put together up to this length, or number. `ws` keeps one buffer for each, and takes
 * them from a list whose every removal costs as much as the list is long: 2.5 seconds for 250,000 segments of one byte.
 */
export const PIECE_BYTES = 16 * 1024;
const MAX_GATHERED = 256;

interface State extends GateEnds {
  readonly socket: Duplex;
  readonly handOn: (chunk: Buffer) => void;
  readonly walk: FrameWalk;
  /** Bytes that were read and not handed on: a chunk of the socket, 64 KiB. */
  readonly held: Buffer[];
  gathered: Buffer[];
  gatheredBytes: number;
  framesBeforeJoining: number;
  isScheduled: boolean;
  isShut: boolean;
}

/**
 * Takes the place of the listener that `ws` has just put on the socket. Data of strangers waits for its turn; data of
 * joined agents goes straight through, unless a chunk holds more frames than one piece of work should.
 */
export function openGate(socket: Duplex, ends: GateEnds): Gate {
  const reader = socket.listeners("data").at(-1) as (chunk: Buffer) => void;
  const handOn = (chunk: Buffer): void => reader.call(socket, chunk);
  const counts = { gatheredBytes: 0, framesBeforeJoining: 0, isScheduled: false, isShut: false };
  const state: State = { ...ends, ...counts, socket, handOn, walk: createFrameWalk(), held: [], gathered: [] };
  const take = (chunk: Buffer): void => {
    if (state.isShut) return;
    state.held.push(chunk);
    if (state.held.length > 1) return;
    if (state.hasJoined()) handOnPortion(state);
    goOn(state);
  };
  socket.off("data", reader);
  socket.on("data", take);
  // Before `ws`, which hears of the end later and reads the bytes handed on until then.
  socket.prependListener("close", () => end(state));
  return { goOn: () => goOn(state), shut: () => shut(state) };
}

function goOn(state: State): void {
  if (state.held.length === 0 || state.isScheduled) return;
  state.isScheduled = true;
  state.setHolding(true);
  state.run(() => {
    state.isScheduled = false;
    if (state.isShut || state.isPaused()) return;
    handOnPortion(state);
    if (state.held.length > 0) goOn(state);
    else state.setHolding(false);
  });
}

function handOnPortion(state: State): void {
  const { held, walk } = state;
  const chunk = held.shift();
  if (!chunk) return;
  const wasInside = walk.isInside();
  const { end, frames, isClosed } = walk.step(chunk, PORTION);
  if (!isAllowed(state, frames)) {
    state.refuse();
    shut(state);
    return;
  }
  if (end < chunk.length) held.unshift(chunk.subarray(end));
  gather(state, end < chunk.length ? chunk.subarray(0, end) : chunk);
  const isPiece = wasInside && frames === 0;
  if (!isPiece || isFull(state)) letGo(state);
  if (isClosed) shut(state);
}

function isAllowed(state: State, frames: number): boolean {
  if (state.hasJoined()) return true;
  state.framesBeforeJoining += frames;
  return state.framesBeforeJoining <= MAX_FRAMES_BEFORE_JOINING;
}

function gather(state: State, piece: Buffer): void {
  state.gathered.push(piece);
  state.gatheredBytes += piece.length;
}

const isFull = ({ gathered, gatheredBytes }: State): boolean =>
  gatheredBytes >= PIECE_BYTES || gathered.length >= MAX_GATHERED;

function letGo(state: State): void {
  const { gathered } = state;
  const [first] = gathered;
  if (!first) return;
  state.gathered = [];
  state.gatheredBytes = 0;
  state.handOn(gathered.length === 1 ? first : Buffer.concat(gathered));
}

function shut(state: State): void {
  state.isShut = true;
  state.held.length = 0;
  state.gathered = [];
  state.setHolding(false);
}

/** The last words of a joined agent are still read; bytes that strangers left are not, nor any behind a shut gate. */
function end(state: State): void {
  const { socket } = state;
  if (!state.isShut && state.hasJoined()) {
    for (const chunk of state.held.splice(0)) gather(state, chunk);
    letGo(state);
    return;
  }
  shut(state);
  if (socket.readableLength > 0) socket.read(socket.readableLength);
}
