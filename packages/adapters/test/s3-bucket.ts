import { sha256 } from "./s3-signature.ts";

export interface StoredObject {
  readonly bytes: Buffer;
  readonly size: number;
  readonly etag: string;
  /** Time of the last change in whole seconds, as in an HTTP date. */
  readonly modified: number;
}

export interface OpenUpload {
  readonly key: string;
  initiated: number;
  readonly parts: Map<number, StoredObject>;
}

/** An answer of the server; `bytes` takes precedence over `xml`. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly xml?: string;
  readonly bytes?: Buffer;
}

export interface Asked {
  readonly method: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

const SMALLEST_PART = 5 * 1024 * 1024;

export const fault = (status: number, code: string): Reply => ({
  status,
  xml: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>said by the store</Message></Error>`,
});

const objectOf = (bytes: Buffer, size = bytes.length): StoredObject => ({
  bytes,
  size,
  etag: `"${sha256(bytes).slice(0, 32)}"`,
  modified: Math.floor(Date.now() / 1000),
});

export interface BucketOptions {
  /** Most keys in one listing. */
  readonly pageSize: number;
  /** Remembers only the sizes of parts, for tests of uploads too large for the memory of this process. */
  readonly isForgetful: boolean;
}

/** Creates an in-memory S3 bucket with objects and multipart uploads. */
export function createBucket(name: string, { isForgetful, pageSize }: BucketOptions) {
  const objects = new Map<string, StoredObject>();
  const uploads = new Map<string, OpenUpload>();
  let number = 0;
  const answer = (asked: Asked): Reply => {
    const { key, method, query } = asked;
    if (key === "")
      return query.has("uploads") ? listUploads(uploads, asked, pageSize) : list(objects, asked, pageSize);
    if (method === "GET" || method === "HEAD") return read(objects, asked);
    if (query.has("uploads")) {
      const id = `up&load-${++number}`;
      uploads.set(id, { key, initiated: Date.now(), parts: new Map() });
      return { status: 200, xml: `<X><UploadId>${id.replace("&", "&amp;")}</UploadId></X>` };
    }
    if (query.has("uploadId")) return changeUpload({ objects, uploads, isForgetful }, asked);
    if (method === "DELETE") {
      objects.delete(key);
      return { status: 204 };
    }
    return put(objects, name, asked);
  };
  return { answer, objects, uploads };
}

function read(objects: Map<string, StoredObject>, { headers, key }: Asked): Reply {
  const found = objects.get(key);
  if (!found) return fault(404, "NoSuchKey");
  const { bytes, etag, modified } = found;
  const facts = { etag, "last-modified": new Date(modified * 1000).toUTCString() };
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(String(headers["range"] ?? "")) ?? [];
  if (first === undefined) return { status: 200, headers: facts, bytes };
  const [start, end] = [Number(first), Math.min(Number(last), bytes.length - 1)];
  if (start >= bytes.length) return fault(416, "InvalidRange");
  const range = { "content-range": `bytes ${start}-${end}/${bytes.length}` };
  return { status: 206, headers: { ...facts, ...range }, bytes: bytes.subarray(start, end + 1) };
}

function put(objects: Map<string, StoredObject>, bucket: string, { body, headers, key }: Asked): Reply {
  const source = headers["x-amz-copy-source"];
  if (source === undefined) {
    const stored = objectOf(body);
    objects.set(key, stored);
    return { status: 200, headers: { etag: stored.etag } };
  }
  const found = objects.get(decodeURIComponent(String(source)).slice(`/${bucket}/`.length));
  if (!found || !String(source).startsWith(`/${bucket}/`)) return fault(404, "NoSuchKey");
  const copy = objectOf(found.bytes, found.size);
  objects.set(key, copy);
  return { status: 200, xml: `<X><LastModified>${new Date(copy.modified * 1000).toISOString()}</LastModified></X>` };
}

interface Uploading extends Pick<BucketOptions, "isForgetful"> {
  readonly objects: Map<string, StoredObject>;
  readonly uploads: Map<string, OpenUpload>;
}

function changeUpload({ isForgetful, objects, uploads }: Uploading, { body, key, method, query }: Asked): Reply {
  const id = query.get("uploadId") ?? "";
  const upload = uploads.get(id);
  if (upload?.key !== key) return fault(404, "NoSuchUpload");
  if (method === "PUT") {
    const part = isForgetful ? objectOf(Buffer.alloc(0), body.length) : objectOf(body);
    upload.parts.set(Number(query.get("partNumber")), part);
    return { status: 200, headers: { etag: part.etag } };
  }
  if (method === "POST") {
    const wanted = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)];
    const parts = wanted.map(([, part, etag]) => ({ etag, found: upload.parts.get(Number(part)) }));
    if (parts.some(({ etag, found }) => !found || found.etag !== etag)) return fault(400, "InvalidPart");
    const sizes = parts.map(({ found }) => found?.size ?? 0);
    if (sizes.slice(0, -1).some((size) => size < SMALLEST_PART)) return fault(400, "EntityTooSmall");
    const bytes = Buffer.concat(parts.map(({ found }) => found?.bytes ?? Buffer.alloc(0)));
    objects.set(
      key,
      objectOf(
        bytes,
        sizes.reduce((sum, size) => sum + size, 0),
      ),
    );
  }
  uploads.delete(id);
  return { status: method === "DELETE" ? 204 : 200, xml: "<CompleteMultipartUploadResult/>" };
}

function list(objects: Map<string, StoredObject>, { query }: Asked, pageSize: number): Reply {
  const prefix = query.get("prefix") ?? "";
  const after = query.get("continuation-token")?.slice("token:".length) ?? query.get("start-after") ?? "";
  const size = Math.min(Number(query.get("max-keys") ?? pageSize), pageSize);
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, size);
  const more = keys.length > size ? `<NextContinuationToken>token:${page.at(-1)}</NextContinuationToken>` : "";
  const contents = page.map((key) => `<Contents><Key>${encodeURIComponent(key)}</Key></Contents>`).join("");
  return { status: 200, xml: `<L><IsTruncated>${keys.length > size}</IsTruncated>${more}${contents}</L>` };
}

function listUploads(uploads: Map<string, OpenUpload>, { query }: Asked, pageSize: number): Reply {
  const [prefix, after] = [query.get("prefix") ?? "", query.get("key-marker") ?? ""];
  const found = [...uploads].filter(([, { key }]) => key.startsWith(prefix) && key > after);
  const page = found.sort(([, a], [, b]) => (a.key < b.key ? -1 : 1)).slice(0, pageSize);
  const more = found.length > page.length;
  const rows = page.map(([id, { initiated, key }]) => {
    const named = `<Key>${key}</Key><UploadId>${id.replace("&", "&amp;")}</UploadId>`;
    return `<Upload>${named}<Initiated>${new Date(initiated).toISOString()}</Initiated></Upload>`;
  });
  const marker = more ? `<NextKeyMarker>${page.at(-1)?.[1].key}</NextKeyMarker>` : "";
  return { status: 200, xml: `<L><IsTruncated>${more}</IsTruncated>${marker}${rows.join("")}</L>` };
}
