import {
  AccessError,
  anyone,
  credentials,
  DomainError,
  type DomainReason,
  defineCommand,
  definePlugin,
  defineQuery,
  defineStream,
  InputError,
  NotFoundError,
  privilege,
  RateError,
  SessionError,
  SignalboxError,
  token,
} from "@signalbox/core/plugin";
import * as z from "zod";

const FAILURES: Readonly<Record<string, () => Error>> = {
  input: () => new InputError("Malformed parameter: <b>x</b>"),
  gone: () => new InputError("Not there", { status: 404 }),
  access: () => new AccessError("No."),
  session: () => new SessionError("Who?"),
  rate: () => new RateError("Slow down"),
  notfound: () => new NotFoundError("Nothing"),
  master: () => new SignalboxError("master", "Elsewhere", { details: { host: "other" } }),
  test: () => new SignalboxError("test", "Odd"),
  crash: () => new TypeError("the secret inside"),
};
const domain = (reason: DomainReason) => () => new DomainError("job", reason, `It is ${reason}.`);
const failures: typeof FAILURES = {
  ...FAILURES,
  unknown: domain("unknown"),
  conflict: domain("conflict"),
  malformed: domain("malformed"),
  failed: domain("failed"),
  unavailable: domain("unavailable"),
};

/** Answers with the input that reached the operation. */
const reflect = defineQuery({
  name: "reflect",
  method: "ANY",
  summary: "Answer what arrived.",
  access: credentials,
  input: z.looseObject({}),
  output: z.looseObject({}),
  async handler(input, { client, actor, uploads }) {
    const { ip, ips, headers, userAgent, baseUrl, method, versioned, pathSuffix } = client;
    const caller = { ip, ips, headers, userAgent, baseUrl, method, versioned, pathSuffix };
    return { params: input, client: caller, actor: actor.id, uploads };
  },
});

const write = defineCommand({
  name: "write_body",
  method: "POST",
  summary: "Change something by body alone.",
  access: credentials,
  input: z.looseObject({ value: z.string() }),
  output: z.looseObject({}),
  handler: async (input) => ({ params: input }),
});

const fire = defineCommand({
  name: "fire",
  method: "POST",
  parameters: "merged",
  summary: "Change something, also by a link.",
  access: privilege("admin"),
  input: z.looseObject({ value: z.string().optional() }),
  output: z.looseObject({}),
  handler: async (input) => ({ params: input }),
});

const bare = defineCommand({
  name: "bare_write",
  method: "POST",
  summary: "Change something without any parameter.",
  access: credentials,
  input: z.looseObject({}),
  output: z.looseObject({}),
  handler: async (input) => ({ params: input }),
});

const byToken = defineCommand({
  name: "fire_by_token",
  method: "POST",
  parameters: "merged",
  summary: "Change something with a token.",
  access: token,
  input: z.looseObject({}),
  output: z.looseObject({}),
  handler: async (_input, { actor }) => ({ kind: actor.kind }),
});

const fail = defineQuery({
  name: "fail_with",
  method: "ANY",
  summary: "Fail in a chosen way.",
  access: anyone,
  input: z.looseObject({ kind: z.string() }),
  output: z.looseObject({}),
  async handler({ kind }) {
    throw failures[kind]?.() ?? new Error("unknown kind");
  },
});

const upload = defineCommand({
  name: "upload_things",
  method: "POST",
  files: true,
  summary: "Take files.",
  access: credentials,
  input: z.looseObject({ fail: z.boolean().optional() }),
  output: z.looseObject({}),
  async handler(input, { uploads }) {
    if (input.fail) throw new InputError("Refused after upload");
    return { uploads, params: input };
  },
});

const whoami = defineQuery({
  name: "whoami",
  namespace: "user",
  method: "GET",
  summary: "Name the caller.",
  access: credentials,
  input: z.looseObject({}),
  output: z.object({ id: z.string(), code: z.string().optional() }),
  handler: async (_input, { actor }) => ({ id: actor.id }),
});

const text = (value: string): Uint8Array => Buffer.from(value);

const lines = defineStream({
  name: "stream_lines",
  method: "GET",
  summary: "Answer some lines of text.",
  access: credentials,
  input: z.looseObject({ status: z.string().optional() }),
  async handler({ status }) {
    if (status === "204") return { status: 204 };
    return {
      contentType: "text/plain; charset=utf-8",
      headers: { "Content-Disposition": 'attachment; filename="a\r\nX-Evil: 1\u2028.txt"' },
      body: (async function* () {
        for (let line = 1; line <= 3; line++) yield text(`line ${line}\n`);
      })(),
    };
  },
});

/** State of the endless stream, for tests of abandoned clients. */
export interface StreamWatch {
  produced: number;
  readonly ended: Promise<string>;
  end(how: string): void;
}

export function createWatch(): StreamWatch {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { produced: 0, ended: promise, end: resolve };
}

function endless(watch: StreamWatch) {
  return defineStream({
    name: "stream_endless",
    method: "GET",
    summary: "Answer events until somebody ends it.",
    access: credentials,
    input: z.looseObject({ wait: z.string().optional(), type: z.string().default("text/event-stream") }),
    async handler({ wait, type }, { signal }) {
      async function* events() {
        try {
          while (!signal.aborted) {
            watch.produced++;
            yield text(`event: update\ndata: ${"x".repeat(65_536)}\n\n`);
            if (wait && !signal.aborted)
              await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
          }
        } finally {
          watch.end(signal.aborted ? "aborted" : "returned");
        }
      }
      return { contentType: type, body: events() };
    },
  });
}

const broken = defineStream({
  name: "stream_broken",
  method: "GET",
  summary: "Fail in the middle of an answer.",
  access: credentials,
  input: z.looseObject({}),
  async handler() {
    return {
      body: (async function* () {
        yield text("first");
        throw new Error("the disk is gone");
      })(),
    };
  },
});

export const probes = (watch: StreamWatch = createWatch()) =>
  definePlugin({
    id: "test.probes",
    operations: [reflect, write, fire, bare, byToken, fail, upload, whoami, lines, endless(watch), broken],
  });
