import type { Duplex } from "node:stream";
import { createFrameWalk, type FrameWalk } from "./frame-walk.ts";

/**
 * A gate between a socket and `ws`. Without it, `ws` would handle all frames of a chunk in one turn: ten thousand of
 * six bytes each.
 */
export interface Gate {
  /** Resumes handing on held bytes, once the socket may be read again. */
  goOn(): void;
  /** Drops held and later bytes. */
  shut(): void;
}

interface GateEnds {
  readonly hasJoined: () => boolean;
  /** True when the socket is paused for another reason than the gate. */
  readonly isPaused: () => boolean;
  /**
   * Called with true when the gate starts to hold bytes, so that the socket must not be read, and with false once it
   * has handed on all.
   */
  readonly setHolding: (isHolding: boolean) => void;
  /** Runs a task in turn with the tasks of all other sockets. */
  readonly run: (task: () => void) => void;
  /** Called when more frames came than an agent sends before joining. */
  readonly refuse: () => void;
}

/** Frames that `ws` gets at once; they take a tenth of a millisecond. */
const PORTION = 256;
/** Enough for two messages in as many fragments as allowed; agents send two frames. */
const MAX_FRAMES_BEFORE_JOINING = 512;
/**
 * Bounds, in bytes and in number, up to which pieces of a payload are joined. `ws` keeps one buffer per piece in a list
 * from which each removal takes time proportional to its length: 2.5 seconds for 250,000 segments of one byte.
 */
export const PIECE_BYTES = 16 * 1024;
const MAX_GATHERED = 256;

interface State extends GateEnds {
  readonly socket: Duplex;
  readonly handOn: (chunk: Buffer) => void;
  readonly walk: FrameWalk;
  /** Bytes that were read but not handed on yet: one chunk of the socket, 64 KiB. */
  readonly held: Buffer[];
  gathered: Buffer[];
  gatheredBytes: number;
  framesBeforeJoining: number;
  isScheduled: boolean;
  isShut: boolean;
}

/**
 * Replaces the data listener that `ws` has just added to the socket. Data of sockets that have not joined waits for its
 * turn. Data of joined agents passes straight through, unless a chunk has more frames than should be handled at once.
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
  // Before `ws`, which gets the event later and reads the bytes handed on until then.
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

/**
 * On close, the last bytes of a joined agent are still read; bytes of sockets that have not joined, or behind a shut
 * gate, are dropped.
 */
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
