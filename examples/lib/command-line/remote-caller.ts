import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { Readable } from "node:stream";
import type { Caller, Members } from "./caller.ts";
import { CommandError, shown, usageError } from "./output.ts";

/** A server and the key to call it with. */
export interface Remote {
  /** Address of the pages, without a trailing slash. */
  readonly base: string;
  readonly apiKey: string;
}

/** Throws `CommandError` for an invalid address or key. */
export function readRemote(address: string, apiKey: string | undefined): Remote {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw usageError("SIGNALBOX_URL must be the address of a server, such as https://ops.example.com");
  if (!apiKey) throw usageError("SIGNALBOX_URL is set, so SIGNALBOX_API_KEY must have a key of that server");
  if (!/^[!-~]+$/.test(apiKey)) throw usageError("SIGNALBOX_API_KEY must be visible ASCII");
  return { base: url.href.replace(/\/$/, ""), apiKey };
}

/** Calls a running server with an API key. */
export const remoteCaller = (remote: Remote): Caller => ({
  async call<Answer extends object>(operation: string, input: Members = {}) {
    const body = JSON.stringify(input);
    return answerOf<Answer>(await ask(remote, operation, { headers: JSON_TYPE, body }));
  },
  async stream(operation, input) {
    const response = await ask(remote, operation, { headers: JSON_TYPE, body: JSON.stringify(input) });
    if (/json/.test(response.headers.get("Content-Type") ?? "")) await answerOf(response);
    if (!response.ok || !response.body) throw new CommandError(`The server answered with status ${response.status}`);
    return wholeOf(response.body);
  },
});

/** Throws when the server closes in the middle: the file would be incomplete. */
async function* wholeOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw new CommandError("The server broke off before the end", { cause });
  }
}

const JSON_TYPE = { "Content-Type": "application/json" };

interface Form {
  readonly operation: string;
  readonly fields: Members;
  readonly file: string;
}

/** Streams a file of any length. */
export async function upload(remote: Remote, { operation, fields, file }: Form): Promise<{ readonly id: string }> {
  const boundary = `signalbox-${randomUUID()}`;
  const headers = { "Content-Type": `multipart/form-data; boundary=${boundary}` };
  const body = Readable.toWeb(Readable.from(partsOf(boundary, fields, file))) as ReadableStream<Uint8Array>;
  return answerOf(await ask(remote, operation, { headers, body, duplex: "half" }));
}

async function* partsOf(boundary: string, fields: Members, file: string): AsyncGenerator<Uint8Array> {
  const part = (disposition: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;
  for (const [name, value] of Object.entries(fields))
    yield Buffer.from(`${part(`name="${name}"`)}${String(value)}\r\n`);
  const filename = basename(file).replaceAll(/["\\\p{Cc}]/gu, "_");
  yield Buffer.from(part(`name="file"; filename="${filename}"`));
  yield* createReadStream(file);
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}

/** Operations without a namespace belong to `app`. The key must not follow a redirect to another address. */
export async function ask({ base, apiKey }: Remote, operation: string, request: RequestInit): Promise<Response> {
  const path = operation.includes("/") ? operation : `app/${operation}`;
  const headers = { ...request.headers, "X-API-Key": apiKey };
  try {
    return await fetch(`${base}/api/${path}/v1`, { ...request, headers, method: "POST", redirect: "error" });
  } catch (cause) {
    const { message, code } = ((cause as Error).cause ?? cause) as NodeJS.ErrnoException;
    throw new CommandError(`SIGNALBOX_URL does not answer: ${shown(message || (code ?? ""))}`, { cause });
  }
}

async function answerOf<Answer extends object>(response: Response): Promise<Answer> {
  const answer = (await response.json().catch(() => undefined)) as Members | undefined;
  if (answer?.["code"] === undefined)
    throw new CommandError(`SIGNALBOX_URL is no Signalbox: it answered with status ${response.status}`);
  const { code, description = code } = answer;
  if (code !== 0) throw new CommandError(shown(String(description)), { code });
  return answer as Answer;
}
