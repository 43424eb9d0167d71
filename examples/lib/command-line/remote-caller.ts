import type { Caller, Members } from "./caller.ts";
import { CommandError, shown, usageError } from "./told.ts";

/** A server and the key to call it with. */
export interface Remote {
  /** Address of the pages, without a slash at its end. */
  readonly base: string;
  readonly apiKey: string;
}

/** Throws `CommandError` for an address or a key that cannot be one. */
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
    return answerOf<Answer>(await ask(remote, operation, { headers: { "Content-Type": "application/json" }, body }));
  },
});

/** Operations without a namespace are of `app`. The key must not travel on to an address that a redirect names. */
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
  if (answer["code"] !== 0) throw new CommandError(shown(String(answer["description"] ?? answer["code"])));
  return answer as Answer;
}
