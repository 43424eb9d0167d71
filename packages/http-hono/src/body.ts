import { InputError } from "@signalbox/core";
import { nodeOf } from "./connection.ts";
import type { HostEnv } from "./options.ts";

/** A request body that is read once, with a bound. */
export interface BodySource {
  readonly headers: Headers;
  /** Throws when the body was read before. */
  stream(): ReadableStream<Uint8Array> | null;
  /** The HTTP parser below has counted the bytes, or somebody has read them: the whole text may be asked for at once. */
  readonly counted: boolean;
  text(): Promise<string>;
}

export const tooLarge = (): InputError => new InputError("Request body exceeds the maximum size.", { status: 413 });

/** Throws `InputError` (413) as soon as the length is declared or counted over `maxBytes`; never holds more than that. */
export async function readText(source: BodySource, maxBytes: number): Promise<string> {
  const declared = declaredLength(source.headers);
  if (declared !== undefined && declared > maxBytes) throw tooLarge();
  if (source.counted) {
    const text = await source.text().catch(brokenOff);
    if (text.length > maxBytes) throw tooLarge();
    return text;
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of boundedChunks(source, maxBytes)) chunks.push(chunk);
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** The chunks of the body, failing with 413 at the first byte over the bound. */
export async function* boundedChunks(source: BodySource, maxBytes: number): AsyncGenerator<Uint8Array> {
  const declared = declaredLength(source.headers);
  if (declared !== undefined && declared > maxBytes) throw tooLarge();
  let total = 0;
  try {
    for await (const chunk of source.stream() ?? []) {
      total += chunk.length;
      if (total > maxBytes) throw tooLarge();
      yield chunk;
    }
  } catch (error) {
    brokenOff(error);
  }
}

/** A caller that goes away in the middle of a body is no failure of ours. A `TypeError` is one: the body was taken before. */
function brokenOff(error: unknown): never {
  if (error instanceof InputError || error instanceof TypeError) throw error;
  throw new InputError("Malformed request body.", { cause: error });
}

function declaredLength(headers: Headers): number | undefined {
  const text = headers.get("content-length");
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}

interface HonoRequestLike {
  readonly raw: Request;
  text(): Promise<string>;
}

/**
 * A body that middleware of the host has already read comes from its cache. No accessors here: an object literal with one
 * gets a hidden class of its own each time, and that keeps the whole request until the next full collection.
 */
export function bodySource(request: HonoRequestLike, env: HostEnv): BodySource {
  const { raw } = request;
  const counted = raw.bodyUsed || parserCounted(raw, env);
  return {
    headers: raw.headers,
    stream() {
      if (raw.bodyUsed) throw new InputError("Malformed request body.");
      return raw.body;
    },
    counted,
    text: () => request.text(),
  };
}

/** Only the very message that Node parsed is trusted to be as long as it says. */
function parserCounted(raw: Request, env: HostEnv): boolean {
  const length = nodeOf(env).incoming?.headers?.["content-length"];
  return length !== undefined && length === raw.headers.get("content-length");
}
