import type { Clock } from "../clock.ts";
import type { IdGenerator } from "../ids.ts";
import type { Logger } from "../logger.ts";
import type { Fetch } from "../outside/fetch.ts";
import type { Random } from "../random.ts";
import type { BlobStore } from "../storage/blob-store.ts";

/** One message of the agent protocol (docs/contract/satellites.md), in either direction. */
export interface AgentMessage {
  readonly cmd: string;
  readonly data: unknown;
  /**
   * JSON text (UTF-8) of a received minute from which the member `data` of `data` was parsed, if the transport has it and changed
   * nothing. It is stored unchanged, which saves serialising the data; nobody may modify the bytes.
   */
  readonly text?: Uint8Array;
}

/** One live connection to an agent. */
export interface AgentLink {
  readonly id: string;
  /** Address of the peer; "127.0.0.1" for the local agent. */
  readonly ip: string;
  /** True when the link needs no token, because it lives in this process. */
  readonly trusted: boolean;
  /** True when tokens cross a network without encryption; absent = they do not. */
  readonly plain?: boolean;
  /** Name or address by which the agent reached this node, without a port; it can reconnect there. */
  readonly reachedBy?: string;
  /** Returns false when the link is gone. Never throws. */
  send(message: AgentMessage): boolean;
  close(reason: string): void;
}

/** Receives the reports of a transport; the service that owns servers implements it. Its calls never throw or block. */
export interface AgentReceiver {
  connected(link: AgentLink): void;
  received(link: AgentLink, message: AgentMessage): void;
  disconnected(link: AgentLink): void;
}

/** Files of a job, for the host function that does its work. */
export interface FunctionFiles {
  /** Files that the job was launched with. */
  readonly input: readonly { readonly filename: string; readonly sizeBytes: number }[];
  /** Content of an input file in chunks. Iterating throws when there is no such file. */
  read(filename: string): AsyncIterable<Uint8Array>;
  /**
   * Keeps a file with the job; characters of its name other than letters, digits, dots, dashes and `_` become `_`. Rejects when
   * the job is over or has a thousand files.
   */
  write(filename: string, content: string | Uint8Array | AsyncIterable<Uint8Array>): Promise<void>;
}

/** A function in its own module, for agents that can run it in another thread. */
export interface WorkerFunction {
  /** `file:` or `data:` URL. */
  readonly module: string;
  /** Name under which the module exports it. */
  readonly export: string;
  /** Id of the event. */
  readonly event: string;
  /** Parameters and input data, already validated; they must survive a structured clone. */
  readonly params: unknown;
  readonly data: unknown;
}

/** Arguments of a typed host function (see `defineEvent`). */
export interface HostFunctionCall {
  readonly jobId: string;
  readonly params: unknown;
  readonly secrets: Readonly<Record<string, string>>;
  readonly input: unknown;
  readonly log: (text: string) => void;
  readonly progress: (fraction: number, status?: string) => void;
  readonly tag: (...ids: string[]) => void;
  readonly files: FunctionFiles;
  readonly signal: AbortSignal;
  /** The engine's time; the machine's in a thread, and the test's in the test kit. */
  readonly clock: Clock;
  /** Randomness; the same in every run of the test kit. */
  readonly random: Random;
  /** The host's `fetch`, or Node's; give requests the `signal`, so that they end with the job. */
  readonly fetch: Fetch;
  /** Runs a function of a module as the work of this job, in its own thread. Absent = the agent has no threads. */
  readonly inWorker?: ((target: WorkerFunction) => Promise<unknown>) | undefined;
}

/** The work of an event that is a function of the host; its result becomes the data of the job. */
export type HostFunction = (call: HostFunctionCall) => Promise<unknown> | unknown;

/** A socket on the agents' listener that is not an agent: the command it began with opened a channel. */
export interface ChannelSocket {
  readonly id: string;
  readonly ip: string;
  /** Session id in the cookie of its request, which came from the same origin; undefined = none. */
  readonly sessionId: string | undefined;
  /** Marks the caller as known: bounds for strangers no longer apply to this socket. */
  accept(): void;
  /** Resolves to true once the text has left this process, to false when the socket is gone. Never rejects. */
  send(text: string): Promise<boolean>;
  /** Closes the socket after everything sent so far. */
  close(reason: string): void;
  /** Destroys the socket without a closing message, because its client does not read. */
  terminate(): void;
}

/** The engine's end of a channel. Its calls never throw or block. */
export interface Channel {
  received(message: AgentMessage): void;
  disconnected(): void;
}

/** Opens a channel for a socket; `first` is its first message. Never throws. */
export type OpenChannel = (socket: ChannelSocket, first: AgentMessage) => Channel;

/** Parts of the engine that an agent transport receives at its start. */
export interface AgentTransportContext {
  readonly receiver: AgentReceiver;
  /** Channels by the first command of a socket that is not an agent. */
  readonly channels: ReadonlyMap<string, OpenChannel>;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly random: Random;
  readonly fetch: Fetch;
  readonly log: Logger;
  /** Functions of the host by event id, for agents that run in this process. */
  readonly functions: ReadonlyMap<string, HostFunction>;
  /** The engine's own store, for agents that run in this process. */
  readonly blobs: BlobStore;
}

/** Carries messages to and from agents: WebSocket, in-process, scripted. */
export interface AgentTransport {
  start(context: AgentTransportContext): Promise<void>;
  /** Closes every link; running local jobs are aborted. */
  stop(): Promise<void>;
}
