import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Actor, SignalboxError, type Upload } from "@signalbox/core/plugin";
import busboy, { type Busboy } from "busboy";
import { type BodySource, boundedChunks, tooLarge } from "../body/body.ts";
import type { BodyPool, Release } from "../body/body-pool.ts";
import type { CallHeaders } from "../caller/call-request.ts";
import type { Settings } from "../settings.ts";
import { type Admission, STRANGER_BYTES } from "./admission.ts";
import { collectFields, type FieldCollector, malformed } from "./form.ts";
import { createUploadBatch, type UploadBatch } from "./uploads.ts";

const MAX_FIELD_NAME = 1024;
const MAX_PART_HEADERS = 32;

export interface FormBody {
  readonly members: Record<string, unknown>;
  readonly uploads: readonly Upload[];
  readonly actor: Actor | undefined;
  /** Removes the temporary blobs. */
  discard(): Promise<void>;
}

interface Sender {
  /** False = the operation accepts no files. */
  readonly keepFiles: boolean;
  readonly admission: Admission;
}

/**
 * Reads multipart form data; files are streamed into the blob store, or dropped if the operation accepts none. From a sender who
 * is not admitted, by the headers or by the fields before the first file, nothing is stored and at most 64 KB are read. Throws
 * `InputError` for mistakes of the caller; nothing is left behind then.
 */
export async function readMultipart(source: BodySource, sender: Sender, settings: Settings): Promise<FormBody> {
  const { limits, pool, turns } = settings;
  const { keepFiles, admission } = sender;
  const fields = collectFields(limits, turns);
  const batch = createUploadBatch(settings);
  const room = createRoom(pool);
  // Created before room is reserved, because a form without a boundary fails here.
  const parser = createParser(source.headers, settings);
  const place = createPlace(source, sender, pool);
  const broken = listen(parser, { fields, batch: keepFiles ? batch : undefined, admission, room });
  const discard = async (): Promise<void> => {
    room.release();
    await batch.discard();
  };
  try {
    const chunks = boundedChunks(source, keepFiles ? limits.uploadBytes : limits.jsonBytes);
    await pipeline(admitted(chunks, { admission, fields, place }), parser);
    const uploads = await batch.finish(() => admission.ask(fields.sent));
    const members = await fields.members();
    return { members, uploads, actor: admission.actorFor(members), discard };
  } catch (error) {
    await discard();
    if (error instanceof SignalboxError) throw error;
    // Any other error means that the form ended early or was not a form, unless the store itself failed.
    throw broken.store ?? malformed(error);
  } finally {
    place.release();
  }
}

interface Judged {
  readonly admission: Admission;
  readonly fields: FieldCollector;
  readonly place: Place;
}

async function* admitted(chunks: AsyncIterable<Uint8Array>, judged: Judged): AsyncGenerator<Uint8Array> {
  const { admission, fields, place } = judged;
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > STRANGER_BYTES) {
      if (!admission.isAdmitted && !(await admission.ask(fields.sent))) throw admission.refusal();
      place.flow();
    }
    yield chunk;
  }
}

/** A form's entry among the bodies being received: its sender is monitored while it arrives. */
interface Place {
  /** From now on the form is streamed to the store instead of being held. */
  flow(): void;
  release(): void;
}

function createPlace({ arrival }: BodySource, { admission }: Sender, pool: BodyPool): Place {
  let isFlowing = admission.isAdmitted;
  let release = pool.takeShort(isFlowing ? 0 : STRANGER_BYTES, arrival);
  return {
    flow() {
      if (isFlowing) return;
      isFlowing = true;
      release();
      release = pool.takeShort(0, arrival);
    },
    release: () => release(),
  };
}

/** Room for fields that are longer than usual. */
interface Room {
  /** Throws `DomainError` ("unavailable") when there is none. */
  take(bytes: number): void;
  release(): void;
}

function createRoom(pool: BodyPool): Room {
  const taken: Release[] = [];
  return {
    take: (bytes) => void taken.push(pool.takeNow(bytes)),
    release: () => {
      for (const release of taken.splice(0)) release();
    },
  };
}

function createParser(headers: CallHeaders, { limits }: Settings): Busboy {
  try {
    return busboy({
      headers: { "content-type": headers.get("content-type") ?? "" },
      defParamCharset: "utf8",
      limits: {
        fieldNameSize: MAX_FIELD_NAME,
        fieldSize: limits.jsonBytes,
        fields: limits.fields,
        files: limits.files,
        headerPairs: MAX_PART_HEADERS,
      },
    });
  } catch (error) {
    throw malformed(error);
  }
}

interface Listening {
  readonly fields: FieldCollector;
  /** Absent = files are dropped. */
  readonly batch: UploadBatch | undefined;
  readonly admission: Admission;
  readonly room: Room;
}

/** Length of fields up to which no additional room is reserved, because every body may take that much. */
const USUAL_LENGTH = 16_384;

/** Returns an object that receives an error of the store. */
function listen(parser: Busboy, { fields, batch, admission, room }: Listening): { store?: Error } {
  const broken: { store?: Error } = {};
  const failed = (error: Error): void => {
    if (parser.destroyed) return;
    broken.store = error;
    parser.destroy(error);
  };
  const guarded = (step: () => void): void => {
    try {
      step();
    } catch (error) {
      parser.destroy(error as Error);
    }
  };
  parser.on("file", (field: string | undefined, content: Readable, { filename }) => {
    // The failure reaches the store as a broken iteration; without a listener it would crash the process.
    content.on("error", () => content.resume());
    const isAdmitted = admission.isAdmitted || admission.ask(fields.sent);
    // Handled even if no file waits for the answer, because an unhandled rejection would crash the process.
    if (isAdmitted !== true) isAdmitted.catch(failed);
    guarded(() =>
      batch ? batch.take({ field: field ?? "", filename, content, failed, isAdmitted }) : content.resume(),
    );
  });
  parser.on("field", (name: string | undefined, value, { nameTruncated, valueTruncated }) =>
    guarded(() => {
      if (valueTruncated) throw tooLarge();
      if (nameTruncated) throw malformed();
      if (value.length > USUAL_LENGTH) room.take(value.length);
      fields.add(name ?? "", value);
    }),
  );
  for (const limit of ["filesLimit", "fieldsLimit", "partsLimit"] as const)
    parser.on(limit, () => parser.destroy(malformed()));
  return broken;
}
