import { admin, anyone, defineQuery, defineStream } from "../../../kernel/calls/operation.ts";
import { SignalboxError } from "../../../kernel/errors/errors.ts";
import { pause } from "../../../kernel/running/loops.ts";
import { once } from "../../../lib/files/once.ts";
import { number } from "../../../wire/fields/fields.ts";
import { Done, NoParameters } from "../../../wire/schemas/lists.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";

const MAX_SLEEP_MS = 10_000;

export const ping = defineQuery({
  name: "ping",
  method: "ANY",
  summary: "Say that the API is alive.",
  access: anyone,
  input: NoParameters,
  output: Done,
  handler: async () => ({}),
});

export const error = defineQuery({
  name: "error",
  method: "ANY",
  summary: "Always fail, so that a client can test how it handles errors.",
  access: anyone,
  refuses: ["test"],
  input: NoParameters,
  output: Done,
  async handler() {
    throw new SignalboxError("test", "This is a test error message.");
  },
});

/** A stream writes its own answer, so it repeats here what the transport does for other answers. */
const isPretty = (url: string): boolean => Boolean(new URLSearchParams(url.split("?")[1]).get("pretty"));

export const echo = defineStream({
  name: "echo",
  method: "ANY",
  summary: "Answer what the service received, without credentials, after `sleep` milliseconds.",
  access: admin,
  accepts: "anything",
  files: true,
  input: looseObject(() => ({ sleep: number().optional() })),
  async handler(input, { client, clock, signal, uploads }) {
    await pause(clock, Math.min(Math.max(input.sleep ?? 1, 0), MAX_SLEEP_MS), signal);
    const files = Object.fromEntries(
      uploads.map(({ field, filename, sizeBytes }) => [field, { name: filename, size: sizeBytes }]),
    );
    const { method, url = "", ips, query = {}, headers, cookies = {} } = client;
    const answer = { code: 0, method, url, ips, query, headers, cookies, params: input, files };
    const indent = isPretty(url) ? "\t" : undefined;
    return { contentType: "application/json", body: once(`${JSON.stringify(answer, null, indent)}\n`) };
  },
});
