import { setImmediate as nextTurn } from "node:timers/promises";
import { leastJsonLength } from "@signalbox/core/adapter";
import { DomainError } from "@signalbox/core/plugin";
import { limitSilence } from "../caller/connection.ts";
import type { HostEnv } from "../options.ts";
import type { Settings } from "../settings.ts";
import { chooseEncoding, packSlices } from "./compression.ts";
import type { SuccessForm } from "./output.ts";
import { type StreamSettings, streamResponse } from "./streams.ts";

/** Time in which something of a longer answer must leave. */
export const SILENCE_MS = 120_000;
/** Bytes counted for an answer: the first of these that surely holds it, or else the longest page of a search. */
const SIZES = [1, 2, 4].map((megabytes) => megabytes * 1_048_576);
const LONGEST = 16_777_216;

/** If all counted as the longest, ten callers who ask for 600 servers (2 to 4 MB) at once would be refused. */
function countedFor(members: object): number {
  const least = leastJsonLength(members, Math.max(...SIZES));
  return SIZES.find((bytes) => least <= bytes) ?? LONGEST;
}

export type OutputSettings = StreamSettings & Pick<Settings, "answers" | "options">;

export interface LongAnswer {
  readonly members: object;
  /** The text of the members. */
  readonly slices: Iterable<string>;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * An answer whose text is written as its caller reads it, so that it holds its members and no text. Throws
 * `DomainError` ("unavailable") while too many others are on their way.
 */
export function longResponse(
  { members, slices, headers }: LongAnswer,
  form: SuccessForm,
  settings: OutputSettings,
): Response {
  const { env, head = false, isDone, accepted } = form;
  const onEnd = form.room ?? takeRoom(settings, { bytes: countedFor(members), env, isDone });
  limitSilence(env, SILENCE_MS);
  const bytes = bytesOf(slices);
  const encoding = settings.options.compress === false ? undefined : chooseEncoding(accepted?.get("accept-encoding"));
  const result = {
    contentType: "application/json",
    headers: encoding ? { ...headers, vary: "accept-encoding", "content-encoding": encoding } : headers,
    body: encoding ? packSlices(bytes, encoding) : bytes,
  };
  return streamResponse(result, { head, env, abort: new AbortController(), onEnd }, settings);
}

interface Wanted {
  /** Bytes of room; absent = the longest page of a search. */
  readonly bytes?: number;
  readonly env: HostEnv | undefined;
  readonly isDone?: boolean | undefined;
}

/**
 * Answers how to give the room back, which the end of the connection does as well. Throws `DomainError` ("unavailable")
 * while too many other answers are on their way.
 */
export function takeRoom({ answers }: Pick<Settings, "answers">, { bytes = LONGEST, env, isDone }: Wanted): () => void {
  const giveBack = answers.take(bytes, env, isDone);
  if (!giveBack) throw new DomainError("api", "unavailable", "Too many long answers are on their way; try again.");
  return giveBack;
}

/** Bytes of the slices, each in a turn of the loop to itself, also where the connection takes one at once. */
async function* bytesOf(slices: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const slice of slices) {
    yield Buffer.from(slice);
    await nextTurn();
  }
}
