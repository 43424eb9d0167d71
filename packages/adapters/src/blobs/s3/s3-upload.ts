import { systemClock } from "@signalbox/core/adapter";
import { createPart, type Part } from "./s3-part.ts";
import { bodyOf, type S3Error, type S3Requests } from "./s3-requests.ts";
import { escapeXml, textIn } from "./s3-xml.ts";

const MAX_PARTS = 10_000;

/**
 * The upload of one blob. Short blobs take one request; long ones are sent in parts, and one part is filled while another is
 * sent.
 */
export interface S3Upload {
  add(chunk: Uint8Array): Promise<void>;
  /** Makes the whole blob visible. Resolves to its size in bytes and its time in Unix seconds. */
  finish(): Promise<{ readonly sizeBytes: number; readonly modified: number }>;
  /** Discards the parts that were sent. Never throws: remaining parts are cleaned up later. */
  abort(): Promise<void>;
}

interface Upload {
  readonly requests: S3Requests;
  readonly key: string;
  readonly partSizeBytes: number;
  /** Id of the multipart upload, once it has started. */
  id: string | undefined;
  filling: Part;
  spare: Part | undefined;
  sending: Promise<void> | undefined;
  sizeBytes: number;
  /** ETags that the store returned for the parts. */
  readonly tags: string[];
}

export function createS3Upload(requests: S3Requests, key: string, partSizeBytes: number): S3Upload {
  const upload: Upload = {
    requests,
    key,
    partSizeBytes,
    id: undefined,
    spare: undefined,
    sending: undefined,
    sizeBytes: 0,
    tags: [],
    filling: createPart(partSizeBytes),
  };
  return {
    async add(chunk) {
      upload.sizeBytes += chunk.length;
      for (let rest = chunk; rest.length > 0; ) {
        if (upload.filling.isFull) await flush(upload);
        rest = upload.filling.add(rest);
      }
    },
    async finish() {
      const { filling, id, sizeBytes } = upload;
      if (id === undefined) {
        const { headers } = await requests.text({ method: "PUT", key, body: filling.body() });
        return { sizeBytes, modified: secondsOf(headers.date) };
      }
      await flush(upload);
      await upload.sending;
      return { sizeBytes, modified: await complete(upload, id) };
    },
    async abort() {
      await upload.sending?.catch(() => undefined);
      if (upload.id === undefined) return;
      const query = { uploadId: upload.id };
      await requests.text({ method: "DELETE", key, query, expected: [404] }).catch(() => undefined);
    },
  };
}

async function flush(upload: Upload): Promise<void> {
  await upload.sending;
  const { filling, partSizeBytes, spare, tags } = upload;
  if (tags.length >= MAX_PARTS) throw new Error(`A blob is longer than ${MAX_PARTS} parts of ${partSizeBytes} bytes`);
  upload.id ??= await begin(upload);
  upload.filling = spare ?? createPart(partSizeBytes);
  upload.spare = undefined;
  upload.sending = sendPart(upload, { id: upload.id, number: tags.push("") }, filling);
  // The failure surfaces when `sending` is awaited next.
  upload.sending.catch(() => undefined);
}

async function begin({ key, requests }: Upload): Promise<string> {
  const { text } = await requests.text({ method: "POST", key, query: { uploads: "" } });
  const id = textIn(text, "UploadId");
  if (!id) throw new Error("The object store began no upload");
  return id;
}

async function sendPart(
  upload: Upload,
  { id, number }: { readonly id: string; readonly number: number },
  part: Part,
): Promise<void> {
  const query = { partNumber: String(number), uploadId: id };
  const { headers } = await upload.requests.text({ method: "PUT", key: upload.key, query, body: part.body() });
  upload.tags[number - 1] = headers.etag ?? "";
  part.clear();
  upload.spare = part;
}

async function complete({ key, requests, sizeBytes, tags }: Upload, uploadId: string): Promise<number> {
  const parts = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
  );
  const body = bodyOf(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
  try {
    return secondsOf((await requests.text({ method: "POST", key, query: { uploadId }, body })).headers.date);
  } catch (error) {
    // The answer to the first attempt was lost, so the retry found no upload to complete.
    if ((error as S3Error).code !== "NoSuchUpload") throw error;
    const { headers } = await requests.text({ method: "HEAD", key });
    if (Number(headers["content-length"]) !== sizeBytes) throw error;
    return secondsOf(headers["last-modified"]);
  }
}

/** A date in an answer as Unix seconds. If the store sends none, the local time is used. */
export const secondsOf = (date: string | undefined): number => {
  const seconds = Date.parse(date ?? "") / 1000;
  return Number.isFinite(seconds) ? seconds : Math.floor(systemClock.now());
};
