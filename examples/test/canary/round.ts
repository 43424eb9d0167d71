import { gunzipSync } from "node:zlib";
import type { Host } from "./host.ts";

/** An answer of the host, with its source (a call or a file). */
export interface Told {
  readonly what: string;
  readonly text: string;
}

export interface Credentials {
  readonly key?: string;
  readonly cookie?: string;
  readonly csrf?: string;
}

type Members = Record<string, unknown>;

/** Calls over HTTP and keeps every answer, including headers; answers of `open` calls may hold the secrets they ask for. */
export function createCaller({ router }: Host) {
  const told: Told[] = [];

  async function request(path: string, init: RequestInit, { key, cookie, csrf }: Credentials, open: boolean) {
    const headers = new Headers(init.headers);
    if (key) headers.set("X-API-Key", key);
    if (cookie) headers.set("Cookie", `session_id=${cookie}`);
    if (csrf) headers.set("X-CSRF-Token", csrf);
    const response = await router.request(path, { ...init, headers });
    const text = await response.text();
    if (!open) told.push({ what: path, text: `${JSON.stringify([...response.headers])} ${text}` });
    return { response, text };
  }

  return {
    told,
    request,
    async call(operation: string, body: Members, who: Credentials, open = false): Promise<Members> {
      const path = operation.includes("/") ? operation : `app/${operation}`;
      const init = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
      const { response, text } = await request(`/api/${path}/v1`, init, who, open);
      const type = response.headers.get("Content-Type") ?? "";
      const cookie = /session_id=([0-9a-f]{64})/.exec(response.headers.get("Set-Cookie") ?? "")?.[1];
      return { ...(type.startsWith("application/json") ? JSON.parse(text) : { text }), ...(cookie ? { cookie } : {}) };
    },
    get: (path: string, who: Credentials) => request(path, {}, who, false),
    /** Keeps the unpacked contents of a compressed file. */
    async unpack(path: string, { key = "" }: Credentials): Promise<void> {
      const response = await router.request(path, { headers: { "X-API-Key": key } });
      const bytes = Buffer.from(await response.arrayBuffer());
      told.push({ what: path, text: gunzipSync(bytes).toString() });
    },
  };
}

export type Caller = ReturnType<typeof createCaller>;
