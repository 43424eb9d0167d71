import { setImmediate as nextTurn } from "node:timers/promises";
import { leastJsonLength } from "@signalbox/core/adapter";
import { DomainError } from "@signalbox/core/plugin";
import { limitSilence } from "../caller/connection.ts";
import type { HostEnv } from "../options.ts";
import type { Settings } from "../settings.ts";
import { chooseEncoding, packSlices } from "./compression.ts";
import type { SuccessForm } from "./output.ts";
import { type StreamSettings, streamResponse } from "./streams.ts";

/** Milliseconds within which some bytes of a longer answer must be sent. */
export const SILENCE_MS = 120_000;
/** Bytes reserved for an answer: the first of these sizes that certainly holds it, otherwise the longest page of a search. */
const SIZES = [1, 2, 4].map((megabytes) => megabytes * 1_048_576);
const LONGEST = 16_777_216;

/** If every answer counted as the longest, ten callers who request 600 servers (2 to 4 MB) at once would be refused. */
function countedFor(members: object): number {
  const least = leastJsonLength(members, Math.max(...SIZES));
  return SIZES.find((bytes) => least <= bytes) ?? LONGEST;
}

export type OutputSettings = StreamSettings & Pick<Settings, "answers" | "options">;

export interface LongAnswer {
  readonly members: object;
  /** The serialised members. */
  readonly slices: Iterable<string>;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * An answer that is serialised while its caller reads it, so that only its members are in memory, not its text. Throws
 * `DomainError` ("unavailable") while too many others are being sent.
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
  /** Bytes to reserve; absent = the longest page of a search. */
  readonly bytes?: number;
  readonly env: HostEnv | undefined;
  readonly isDone?: boolean | undefined;
}

/**
 * Reserves room for a long answer. Returns a function that frees it; the end of the connection frees it too. Throws `DomainError`
 * ("unavailable") while too many other answers are being sent.
 */
export function takeRoom({ answers }: Pick<Settings, "answers">, { bytes = LONGEST, env, isDone }: Wanted): () => void {
  const giveBack = answers.take(bytes, env, isDone);
  if (!giveBack) throw new DomainError("api", "unavailable", "Too many long answers are on their way; try again.");
  return giveBack;
}

/** Bytes of the slices, each in its own turn of the event loop, even if the connection accepts one immediately. */
async function* bytesOf(slices: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const slice of slices) {
    yield Buffer.from(slice);
    await nextTurn();
  }
}
