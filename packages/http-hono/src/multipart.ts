import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { SignalboxError, type Upload } from "@signalbox/core";
import busboy, { type Busboy } from "busboy";
import { type BodySource, boundedChunks, tooLarge } from "./body.ts";
import { collectFields, type FieldCollector, malformed } from "./form.ts";
import type { Settings } from "./settings.ts";
import { createUploadBatch, type UploadBatch } from "./uploads.ts";

const MAX_FIELD_NAME = 1024;
const MAX_PART_HEADERS = 32;

export interface FormBody {
  readonly members: Record<string, unknown>;
  readonly uploads: readonly Upload[];
  /** Removes the temporary blobs. */
  discard(): Promise<void>;
}

/**
 * Reads multipart form data; files flow into the blob store as they arrive, or are dropped when the operation takes none.
 * Throws `InputError` for what the caller did wrong; nothing is left behind then.
 */
export async function readMultipart(source: BodySource, keepFiles: boolean, settings: Settings): Promise<FormBody> {
  const { limits } = settings;
  const fields = collectFields(limits);
  const batch = createUploadBatch(settings);
  const parser = createParser(source.headers, settings);
  const broken = listen(parser, fields, keepFiles ? batch : undefined);
  try {
    await pipeline(boundedChunks(source, keepFiles ? limits.uploadBytes : limits.jsonBytes), parser);
    const uploads = await batch.finish();
    return { members: await fields.members(), uploads, discard: batch.discard };
  } catch (error) {
    await batch.discard();
    if (error instanceof SignalboxError) throw error;
    // What is left is a form that ended early or was never one, unless the store itself gave up.
    throw broken.store ?? malformed(error);
  }
}

function createParser(headers: Headers, { limits }: Settings): Busboy {
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

/** Files go to `batch`, or nowhere. The answer holds what broke on the side of the store. */
function listen(parser: Busboy, fields: FieldCollector, batch: UploadBatch | undefined): { store?: Error } {
  const broken: { store?: Error } = {};
  const storeFailed = (error: Error): void => {
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
    // Its failure reaches the store as a broken iteration; unheard it would end the process.
    content.on("error", () => content.resume());
    guarded(() => (batch ? batch.take(field ?? "", filename, content, storeFailed) : content.resume()));
  });
  parser.on("field", (name: string | undefined, value, { nameTruncated, valueTruncated }) =>
    guarded(() => {
      if (valueTruncated) throw tooLarge();
      if (nameTruncated) throw malformed();
      fields.add(name ?? "", value);
    }),
  );
  for (const limit of ["filesLimit", "fieldsLimit", "partsLimit"] as const)
    parser.on(limit, () => parser.destroy(malformed()));
  return broken;
}
