import { randomBytes } from "node:crypto";
import { socketSatellite } from "@signalbox/core/testing";
import { expect } from "vitest";

export const ADMIN_KEY = "hostsTestAdministratorKey0";
export const SECRET_KEY = "only for the test of the hosts";
const MB = 1024 * 1024;

/** A host that listens, with Signalbox below `/ops`. */
export interface Host {
  readonly url: string;
  /** Address at which satellites connect; absent = the host's own port. */
  readonly satellites?: string;
}

type Answer = Record<string, unknown>;

/** Calls an operation below the mount, as the administrator unless the headers name somebody else. */
async function send({ url }: Host, operation: string, init: RequestInit): Promise<Answer> {
  const headers = new Headers(init.headers);
  if (!headers.has("cookie")) headers.set("x-api-key", ADMIN_KEY);
  const response = await fetch(`${url}/ops/api/app/${operation}/v1`, { method: "POST", ...init, headers });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as Answer;
}

const JSON_TYPE = { "content-type": "application/json" };
const json = (host: Host, operation: string, body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  send(host, operation, { body: JSON.stringify(body), headers: { ...JSON_TYPE, ...headers } });

/** Uploads bytes under a name; resolves to their path. */
async function upload(host: Host, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const body = new FormData();
  body.append("file1", new File([bytes], name));
  const { urls } = await send(host, "upload_files", { body });
  return String(new URL((urls as string[])[0] ?? "", host.url).pathname);
}

/** Checks that every host must pass, by name. */
export const CHECKS: Readonly<Record<string, (host: Host) => Promise<void>>> = {
  async "sub-path: the host keeps its own page, and the dashboard stands below /ops"({ url }) {
    const own = await (await fetch(url)).text();
    // React and Vue each escape an apostrophe in their own way.
    expect(own.replaceAll(/&#(?:x27|39);/g, "'")).toContain("the host's own page");
    const page = await fetch(`${url}/ops/`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="app">')]);
  },

  async "host sign-in: the host's user acts under its own name and rights"(host) {
    const cookie = "app_session=s1";
    const { tag } = await json(host, "create_tag", { title: "By Ann", id: "by_ann" }, { cookie });
    expect(tag).toMatchObject({ id: "by_ann", username: "ann" });
    const refused = await fetch(`${host.url}/ops/api/app/create_tag/v1`, {
      method: "POST",
      body: '{"title":"No"}',
      headers: { ...JSON_TYPE, cookie: "app_session=x" },
    });
    expect([refused.status, await refused.json()]).toEqual([403, expect.objectContaining({ code: "session" })]);
  },

  async "a stranger gets the empty page, and nothing else from any operation that reads"({ url }) {
    const { paths } = (await (await fetch(`${url}/ops/api/openapi.json`)).json()) as { paths: Record<string, object> };
    const reading = Object.keys(paths).filter((path) => "get" in (paths[path] ?? {}));
    const answered: string[] = [];
    for (const path of reading) {
      const response = await fetch(`${url}/ops${path}`);
      if (response.ok) answered.push(`${path} ${await response.text()}`);
      else await response.body?.cancel();
    }
    expect(reading.length).toBeGreaterThan(100);
    expect(answered).toEqual([expect.stringMatching(/^\/api\/app\/ping\/v1 \{"code":0\}\s*$/)]);
    expect(await (await fetch(`${url}/ops/boot.json`)).json()).not.toHaveProperty("viewer");
  },

  async "JSON: a body arrives as it was sent"(host) {
    const title = `Ä "quoted" ${"x".repeat(5000)}`;
    const { tag } = await json(host, "create_tag", { title: "Long", notes: title, id: "by_json" });
    expect(tag).toMatchObject({ id: "by_json", notes: title });
  },

  async "form: fields of an urlencoded form arrive"(host) {
    const body = new URLSearchParams({ title: "By a form & more", id: "by_form" });
    const { tag } = await send(host, "create_tag", { body });
    expect(tag).toMatchObject({ title: "By a form & more" });
  },

  async "upload of 20 MB, and a range of it"(host) {
    const bytes = randomBytes(20 * MB);
    const path = await upload(host, "large.bin", bytes);
    const from = 10 * MB + 1;
    const headers = { range: `bytes=${from}-${from + 999}`, "x-api-key": ADMIN_KEY };
    const part = await fetch(`${host.url}${path}`, { headers });
    expect([part.status, part.headers.get("content-range")]).toEqual([
      206,
      expect.stringContaining(`/${bytes.length}`),
    ]);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(from, from + 1000))).toBe(true);
  },

  async "server-sent events come while the answer is open"(host) {
    const ended = new AbortController();
    const headers = { "x-api-key": ADMIN_KEY };
    const stream = await fetch(`${host.url}/ops/api/app/stream_updates/v1`, { headers, signal: ended.signal });
    expect(stream.headers.get("content-type")).toContain("text/event-stream");
    const seen = textUntil(stream, "by_stream");
    await json(host, "create_tag", { title: "Seen", id: "by_stream" });
    expect(await seen).toContain("event: login");
    ended.abort();
  },

  async "satellites join over their WebSocket, and find what they ask"({ url, satellites = url }) {
    const ws = satellites.replace("http", "ws");
    const satellite = await socketSatellite({
      url: `${ws}/`,
      hostname: "web01",
      id: "s1",
      join: { serverKey: SECRET_KEY },
    });
    expect(satellite.isOpen).toBe(true);
    satellite.close();
    expect((await fetch(`${satellites}/health`)).status).toBe(200);
  },

  async "OpenAPI names the mount as its server"({ url }) {
    const document = await (await fetch(`${url}/ops/api/openapi.json`)).json();
    expect(document).toMatchObject({ openapi: "3.1.0", servers: [{ url: "/ops" }] });
  },

  async "client address: the socket's, and what a proxy on this machine says"(host) {
    await json(host, "create_tag", { title: "Far", id: "by_proxy" }, { "x-forwarded-for": "203.0.113.7" });
    await json(host, "create_tag", { title: "Near", id: "by_hand" });
    const { rows } = await json(host, "search_activity", { query: "action:tag_create", limit: 50 });
    const ipOf = (id: string): unknown =>
      (rows as Answer[]).find((row) => (row["tag"] as Answer | undefined)?.["id"] === id)?.["ip"];
    expect([ipOf("by_proxy"), ipOf("by_hand")]).toEqual(["203.0.113.7", expect.stringMatching(/^(127\.0\.0\.1|::1)$/)]);
  },
};

async function textUntil(stream: Response, word: string): Promise<string> {
  let text = "";
  for await (const chunk of stream.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes(word)) return text;
  }
  throw new Error(`The stream ended without ${word}: ${text}`);
}
