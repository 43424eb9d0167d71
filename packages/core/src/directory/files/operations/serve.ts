import * as z from "zod";
import type { StreamContext } from "../../../kernel/calls/context.ts";
import { defineStream, type StreamResult, unchecked } from "../../../kernel/calls/operation.ts";
import { SignalboxError } from "../../../kernel/errors/errors.ts";
import { once } from "../../../lib/files/once.ts";
import type { BlobInfo } from "../../../ports/storage/blob-store.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import { etagOf, isUnchanged, requestedRange } from "../rules/conditions.ts";
import { contentTypeOf, isActiveContent } from "../rules/content-types.ts";
import { dispositionOf } from "../rules/disposition.ts";
import { fileKey } from "../rules/names.ts";
import { isPlainKey } from "../rules/paths.ts";

const FileInput = looseObject(() => ({
  path: z.string().optional().describe("Path of the file below `files/`."),
  token: z.string().optional().describe("Opens a file whose path can be guessed; servers are sent it with a job."),
  download: z.string().optional().describe("`1`, or the name under which a browser is to save it."),
}));
type FileInput = z.infer<typeof FileInput>;

/** Failures are plain text, because people open these addresses in a browser. */
const plain = (status: number, text: string): StreamResult => ({
  status,
  contentType: "text/plain; charset=utf-8",
  body: once(`(${text})\n`),
});

const SAFE = {
  "Accept-Ranges": "bytes",
  "Cache-Control": "public, max-age=0",
  "Content-Security-Policy": "default-src 'none'; sandbox",
  "X-Content-Type-Options": "nosniff",
};

/** Answers that need credentials must not be stored by shared caches for other callers. */
const PRIVATE = { "Cache-Control": "private, max-age=0" };

export const file = defineStream({
  name: "file",
  summary:
    "Answer a stored file, or a range of it; its path is the permission; paths that can be guessed may be closed to strangers.",
  // Credentials matter only for guessable paths, and only when these are closed. An expired session must not block a file whose
  // path was shared.
  access: unchecked,
  input: FileInput,
  async handler(input, context): Promise<StreamResult> {
    if (!input.path) return plain(400, "Missing path.");
    const key = fileKey(input.path);
    if (key === undefined) return plain(404, "File not found.");
    if (isPlainKey(key) && !(await mayReadPlain(key, input, context))) return plain(403, "Authentication required.");
    try {
      return (await serve(key, input, context)) ?? plain(404, "File not found.");
    } catch (error) {
      // The path opens the file, so it is not logged.
      context.log.error({ error }, "A stored file could not be read");
      return plain(500, "File could not be read.");
    }
  },
});

/**
 * True for everybody unless guessable paths are closed; then for every known caller and the bearer of a token
 * (docs/contract/files.md#who-may-read).
 */
async function mayReadPlain(key: string, { token }: FileInput, context: StreamContext): Promise<boolean> {
  const { client, config, credentials, now, services } = context;
  if (!config.files.require_auth_for_plain_paths) return true;
  if (token !== undefined && services.agentKeys.opensPlain(token, key, now)) return true;
  try {
    return (await services.gatekeeper.authenticate(credentials, client)).kind !== "anonymous";
  } catch (error) {
    if (error instanceof SignalboxError) return false;
    throw error;
  }
}

/** Returns undefined when there is no such file, also when it is removed during the call. */
async function serve(key: string, input: FileInput, context: StreamContext): Promise<StreamResult | undefined> {
  const { download } = input;
  const { client, services } = context;
  const info = await services.files.head(key);
  if (!info) return undefined;
  const isPrivate = isPlainKey(key) && context.config.files.require_auth_for_plain_paths;
  const headers: Record<string, string> = { ...headersOf(key, info, download), ...(isPrivate ? PRIVATE : {}) };
  if (isUnchanged(client.headers, info)) return { status: 304, headers };
  const range = requestedRange(client.headers, info);
  if (range === "unsatisfiable") {
    const { "Content-Disposition": _none, ...others } = headers;
    return { status: 416, headers: { ...others, "Content-Range": `bytes */${info.sizeBytes}` } };
  }
  const { start, end } = range ?? { start: 0, end: info.sizeBytes - 1 };
  const answer = {
    ...(range ? { status: 206 } : {}),
    contentType: contentTypeOf(key),
    headers: {
      ...headers,
      "Content-Length": String(end - start + 1),
      ...(range ? { "Content-Range": `bytes ${start}-${end}/${info.sizeBytes}` } : {}),
    },
  };
  if (client.method === "HEAD") return answer;
  const blob = await services.files.get(key, range);
  // The file was replaced since `head`, so the headers describe other content: start again.
  if (blob && etagOf(blob) !== etagOf(info)) return serve(key, input, context);
  return blob && { ...answer, body: blob.content };
}

function headersOf(key: string, info: BlobInfo, download: string | undefined): Record<string, string> {
  const name = key.slice(key.lastIndexOf("/") + 1);
  const disposition = dispositionOf(name, download, isActiveContent(contentTypeOf(name)));
  return {
    ...SAFE,
    ETag: etagOf(info),
    "Last-Modified": new Date(Math.floor(info.modified) * 1000).toUTCString(),
    ...(disposition === undefined ? {} : { "Content-Disposition": disposition }),
  };
}
