/** Common parts of the hand-written servers: answers over `node:http`, definitions, compact rows and sealed texts. */
import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Input = Readonly<Record<string, string>>;
export type Members = Readonly<Record<string, unknown>>;

export interface Operations {
  /** Called with the parameters after the `?`. */
  readonly reads: Readonly<Record<string, (input: Input) => string | Promise<string>>>;
  /** Called with the parsed JSON body. */
  readonly commands: Readonly<Record<string, (input: Members) => Promise<string>>>;
}

/** Answers of the server at `origin` for lists of definitions, which both servers keep in memory. */
export async function definitionsOf(origin: string, apiKey: string): Promise<Operations["reads"]> {
  const answerOf = async (operation: string): Promise<unknown> =>
    (await fetch(`${origin}/api/app/${operation}/v1`, { headers: { "x-api-key": apiKey } })).json();
  const [tags, monitors] = [await answerOf("get_tags"), await answerOf("get_monitors")];
  return { get_tags: () => JSON.stringify(tags), get_monitors: () => JSON.stringify(monitors) };
}

/** A row of a search as people see it: a record without its body, and with the number of its changes. */
export function compact(doc: string): Members {
  const { body: _body, changes, ...row } = JSON.parse(doc) as Members;
  return { ...row, changes: (changes as readonly unknown[]).length };
}

const key = createSecretKey(randomBytes(32));
const IV = 12;
const TAG = 16;
function seal(text: string): string {
  const iv = randomBytes(IV);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64");
}
export function unseal(text: string): string {
  const bytes = Buffer.from(text, "base64");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV));
  decipher.setAuthTag(bytes.subarray(IV, IV + TAG));
  return decipher.update(bytes.subarray(IV + TAG), undefined, "utf8") + decipher.final("utf8");
}

/** The fields of the secrets of `wire`, sealed. */
export const sealedFields = (): string =>
  seal(
    JSON.stringify([
      { name: "LOAD_A", value: "value-a" },
      { name: "LOAD_B", value: "value-b" },
    ]),
  );

function answer(response: ServerResponse, text: string): void {
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
}

/** Prints its port once it listens. */
export function serve({ reads, commands }: Operations): void {
  const server = createServer(async (request, response) => {
    const [path = "", query = ""] = (request.url ?? "").split("?");
    const operation = path.split("/")[3] ?? "";
    if (request.method === "GET") {
      const input = Object.fromEntries(query.split("&").map((pair) => pair.split("=")));
      return answer(response, (await reads[operation]?.(input)) ?? "");
    }
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (part: string) => {
      text += part;
    });
    request.on("end", async () => answer(response, (await commands[operation]?.(JSON.parse(text) as Members)) ?? ""));
  });
  server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
}
