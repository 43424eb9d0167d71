import type { BlobInfo, BlobStore } from "@signalbox/core/adapter";
import { checkKey, isKey, shownKey } from "../keys.ts";
import { contentOf } from "./s3-content.ts";
import { readS3Options, type S3BlobStoreOptions, type S3Settings } from "./s3-options.ts";
import { createS3Requests, type S3Answer, type S3Requests } from "./s3-requests.ts";
import { createS3Upload, secondsOf } from "./s3-upload.ts";
import { elementsOf, textIn, textsOf } from "./s3-xml.ts";

/** Most keys in one answer of a store. */
const PAGE = 1000;
/** Most bytes that the protocol copies in one request. */
const MAX_COPY = 5 * 1024 ** 3;

/**
 * Keeps blobs in a bucket of Amazon S3 or of anything that speaks its protocol (MinIO, Ceph, R2, Garage …), with the optional
 * peer `aws4fetch`, which signs the requests.
 *
 * A blob becomes visible as a whole, with the last request of its upload; memory holds at most two parts of it (`partSizeBytes`).
 * Requests that fail temporarily are retried. The account needs `s3:GetObject`, `s3:PutObject`, `s3:DeleteObject`,
 * `s3:AbortMultipartUpload`, and on the bucket `s3:ListBucket` and `s3:ListBucketMultipartUploads`: without permission to list,
 * stores answer 403 for missing keys. Errors are `Error` with the `status` and the `code` of the store; they contain no complete
 * keys.
 * @throws TypeError for malformed options.
 */
export function s3BlobStore(options: S3BlobStoreOptions): BlobStore {
  const settings = readS3Options(options);
  const requests = createS3Requests(settings);
  const head = async (key: string): Promise<BlobInfo | undefined> => {
    checkKey(key);
    const answer = await requests.text({ method: "HEAD", key, expected: [404] });
    return answer.status === 404 ? undefined : infoOf(answer, answer.headers["content-length"]);
  };
  const store: BlobStore = {
    head,
    put: async (key, content) => putBlob(requests, key, content, settings),
    async get(key, range) {
      checkKey(key);
      return range ? getRange(requests, key, range, { settings, head }) : getWhole(requests, key, settings);
    },
    async delete(key) {
      // The protocol does not say whether the object existed.
      if (!(await head(key))) return false;
      await requests.text({ method: "DELETE", key, expected: [404] });
      return true;
    },
    list: (prefix, { limit, after }) => listKeys(requests, { prefix, limit, after }, settings),
    async move(from, to) {
      checkKey(to);
      const found = await head(from);
      if (!found) return undefined;
      const moved =
        found.sizeBytes > MAX_COPY ? await copyLong(store, from, to) : await copy(requests, from, to, settings);
      await requests.text({ method: "DELETE", key: from, expected: [404] });
      return moved && { sizeBytes: found.sizeBytes, modified: moved.modified };
    },
    tidy: (before) => abortUploads(requests, before, settings),
  };
  return store;
}

function infoOf({ headers }: S3Answer, size: string | undefined): BlobInfo {
  const sizeBytes = Number(size);
  if (!Number.isSafeInteger(sizeBytes)) throw new Error("The object store does not say how long a blob is");
  return { sizeBytes, modified: secondsOf(headers["last-modified"]) };
}

async function putBlob(
  requests: S3Requests,
  key: string,
  content: AsyncIterable<Uint8Array>,
  { partSizeBytes }: S3Settings,
): Promise<BlobInfo> {
  checkKey(key);
  const upload = createS3Upload(requests, key, partSizeBytes);
  try {
    for await (const chunk of content) await upload.add(chunk);
    return await upload.finish();
  } catch (error) {
    await upload.abort();
    throw error;
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function getWhole(requests: S3Requests, key: string, { timeoutMs }: S3Settings) {
  const answer = await requests.send({ method: "GET", key, expected: [404] });
  if (answer.status === 404) {
    answer.response.resume();
    return undefined;
  }
  return { ...infoOf(answer, answer.headers["content-length"]), content: contentOf(answer.response, timeoutMs) };
}

async function getRange(
  requests: S3Requests,
  key: string,
  { start: from, end }: { start: number; end: number },
  { settings, head }: { settings: S3Settings; head(key: string): Promise<BlobInfo | undefined> },
) {
  const start = Math.max(0, from);
  const without = async () => {
    const info = await head(key);
    return info && { ...info, content: nothing() };
  };
  if (start > end) return without();
  const headers = { range: `bytes=${start}-${end}` };
  const answer = await requests.send({ method: "GET", key, headers, expected: [404, 416] });
  if (answer.status === 404 || answer.status === 416) {
    answer.response.resume();
    return answer.status === 404 ? undefined : without();
  }
  const total = /\/(\d+)$/.exec(answer.headers["content-range"] ?? "")?.[1];
  if (answer.status === 206 && total !== undefined)
    return { ...infoOf(answer, total), content: contentOf(answer.response, settings.timeoutMs) };
  const info = infoOf(answer, answer.headers["content-length"]);
  // A store may ignore the range when it covers the whole object.
  if (start === 0 && end >= info.sizeBytes - 1)
    return { ...info, content: contentOf(answer.response, settings.timeoutMs) };
  answer.response.destroy();
  throw new Error(`The object store gives no ranges of ${shownKey(key)}`);
}

async function listKeys(
  requests: S3Requests,
  listing: { readonly prefix: string; readonly limit: number; readonly after: string | undefined },
  { prefix: own }: S3Settings,
): Promise<string[]> {
  const { prefix, limit, after } = listing;
  const keys: string[] = [];
  let next: Record<string, string> | undefined = after ? { "start-after": own + after } : {};
  while (next && keys.length < limit) {
    // Other programs may keep objects in the bucket, so a page may contain fewer of our keys than requested.
    const size = { "max-keys": String(Math.min(PAGE, limit - keys.length)) };
    const query = { "list-type": "2", "encoding-type": "url", prefix: own + prefix, ...size, ...next };
    const { text } = await requests.text({ method: "GET", query });
    const found = textsOf(text, "Key").map((key) => decodeURIComponent(key.replaceAll("+", " ")));
    keys.push(...found.map((key) => key.slice(own.length)).filter(isKey));
    const token = textIn(text, "IsTruncated") === "true" ? textIn(text, "NextContinuationToken") : undefined;
    next = token === undefined ? undefined : { "continuation-token": token };
  }
  return keys;
}

async function copy(requests: S3Requests, from: string, to: string, { bucket, prefix }: S3Settings) {
  const headers = { "x-amz-copy-source": `/${bucket}/${prefix}${from}` };
  const { text } = await requests.text({ method: "PUT", key: to, headers });
  return { modified: secondsOf(textIn(text, "LastModified")) };
}

async function copyLong(store: BlobStore, from: string, to: string): Promise<BlobInfo | undefined> {
  const found = await store.get(from);
  return found && store.put(to, found.content);
}

/** Aborts unfinished uploads of processes that died: they are not listed, but their parts occupy space. */
async function abortUploads(requests: S3Requests, before: number, { prefix }: S3Settings): Promise<void> {
  let next: Record<string, string> | undefined = {};
  while (next) {
    const query: Record<string, string> = { uploads: "", prefix, ...next };
    const { text } = await requests.text({ method: "GET", query });
    for (const upload of elementsOf(text, "Upload")) {
      const key = textIn(upload, "Key")?.slice(prefix.length) ?? "";
      const uploadId = textIn(upload, "UploadId") ?? "";
      const isOld = Date.parse(textIn(upload, "Initiated") ?? "") / 1000 < before;
      if (isOld && isKey(key)) await requests.text({ method: "DELETE", key, query: { uploadId }, expected: [404] });
    }
    next = markersIn(text);
  }
}

function markersIn(xml: string): Record<string, string> | undefined {
  const marker = textIn(xml, "IsTruncated") === "true" ? textIn(xml, "NextKeyMarker") : undefined;
  const id = textIn(xml, "NextUploadIdMarker");
  return marker === undefined ? undefined : { "key-marker": marker, ...(id ? { "upload-id-marker": id } : {}) };
}
