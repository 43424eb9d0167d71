/** Bodies that are too large, too deep or too many, and bodies that lie about themselves. */
import { gzipSync } from "node:zlib";
import type { Ask } from "../server/http.ts";
import { jsonCall } from "../server/http.ts";
import { withPeers } from "../server/sockets.ts";
import type { Attack, Part, Stage } from "../stage/attack.ts";

const MB = 1_000_000;
/** Bytes of disk that a stranger's temporary files may take. */
const STRANGERS_DISK = 1 * MB;

const JSON_TYPE = { "Content-Type": "application/json" };
const TAG = "/api/app/create_tag/v1";
const UPLOAD = "/api/app/upload_files/v1";

/** Sends the same request many times at once; a refused one may also be cut off, as the server need not read its body. */
async function flood(stage: Stage, times: number, ask: Ask): Promise<void> {
  const answers = await Promise.all(Array.from({ length: times }, () => stage.http.ask({ ...ask, timeoutMs: 90_000 })));
  const sent = `${times} at once: ${ask.method} ${ask.path}`;
  for (const { status, hung } of answers) {
    stage.must(!hung, "no answer in time", sent);
    stage.must(status < 500, `status ${status}`, sent);
  }
}

const members = (count: number): string =>
  `{${Array.from({ length: count }, (_, n) => `"member${n}":${n}`).join(",")}}`;

const multipart = (bytes: number): Ask => ({
  method: "POST",
  path: UPLOAD,
  headers: { "Content-Type": "multipart/form-data; boundary=x" },
  body: [
    Buffer.from('--x\r\nContent-Disposition: form-data; name="file1"; filename="a.bin"\r\n\r\n'),
    ...Array.from({ length: Math.ceil(bytes / MB) }, () => Buffer.alloc(MB, "x")),
    Buffer.from("\r\n--x--\r\n"),
  ],
});

async function onDisk(stage: Stage, work: () => Promise<void>, allowed: number): Promise<void> {
  const before = stage.server.worstFiles();
  await work();
  const grown = stage.server.worstFiles() - before;
  stage.must(grown <= allowed, `${(grown / MB).toFixed(1)} MB came to the disk for strangers`);
}

type Body = readonly [name: string, ask: Ask, times: number];

const huge = { method: "POST", path: TAG, headers: JSON_TYPE };
const ofStrangers: readonly Body[] = [
  ["40 strangers post 16 MB of text each", { ...huge, body: `{"title":"${"x".repeat(16 * MB)}"}` }, 40],
  ["20 strangers post 90,000 members each", { ...huge, body: members(90_000) }, 20],
  ["20 strangers post 60 KB of members each", { ...huge, body: members(3200) }, 20],
  ["20 strangers post 60 KB of brackets each", { ...huge, body: "[".repeat(60_000) }, 20],
  [
    "20 strangers post 60 KB of nested lists each",
    { ...huge, body: `{"a":${"[".repeat(29_000)}${"]".repeat(29_000)}}` },
    20,
  ],
  ["20 strangers post 60 KB of empty lists each", { ...huge, body: `{"a":[${"[],".repeat(19_000)}[]]}` }, 20],
  [
    "20 strangers post a compressed bomb",
    { ...huge, headers: { ...JSON_TYPE, "Content-Encoding": "gzip" }, body: gzipSync(Buffer.alloc(20 * MB, " ")) },
    20,
  ],
  [
    "20 strangers post a form without a boundary",
    { ...huge, headers: { "Content-Type": "multipart/form-data" }, body: "x" },
    20,
  ],
  [
    "5 strangers post 100,000 parts each",
    {
      method: "POST",
      path: UPLOAD,
      headers: { "Content-Type": "multipart/form-data; boundary=x" },
      body: `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(100_000)}--x--\r\n`,
    },
    5,
  ],
  [
    "10 strangers post 30,000 pairs of a form each",
    {
      method: "POST",
      path: TAG,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: Array.from({ length: 30_000 }, (_, n) => `k${n}=${n}`).join("&"),
    },
    10,
  ],
  [
    "20 strangers log in with a password of 16 MB",
    { ...huge, path: "/api/user/login/v1", body: `{"username":"a","password":"${"x".repeat(16 * MB)}"}` },
    20,
  ],
];

const strangers = ofStrangers.map(
  ([name, ask, times]): Attack => ({
    name,
    by: "strangers",
    short: true,
    run: (stage) => onDisk(stage, () => flood(stage, stage.short ? Math.ceil(times / 4) : times, ask), STRANGERS_DISK),
  }),
);

const chunked = (text: string): string =>
  `POST ${TAG} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${text}`;

/** Messages that no regular client would send. */
const LIES: readonly (readonly [name: string, message: string])[] = [
  ["a length that is too short", chunked('Content-Length: 3\r\n\r\n{"title":"x"}GET / HTTP/1.1\r\n\r\n')],
  ["a negative length", chunked("Content-Length: -1\r\n\r\n{}")],
  ["two lengths", chunked("Content-Length: 2\r\nContent-Length: 4\r\n\r\n{}{}")],
  ["a length and chunks", chunked("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n")],
  ["a chunk of an impossible length", chunked("Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\n{}")],
  ["a chunk that is no number", chunked("Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n")],
  [
    "a chunk with a long extension",
    chunked(`Transfer-Encoding: chunked\r\n\r\n2;${"x".repeat(60_000)}\r\n{}\r\n0\r\n\r\n`),
  ],
  ["endless trailers", chunked(`Transfer-Encoding: chunked\r\n\r\n0\r\n${"X: y\r\n".repeat(20_000)}`)],
  ["heads of 1 MB", chunked(`X: ${"x".repeat(MB)}\r\n\r\n`)],
  ["10,000 heads", chunked(`${"X: y\r\n".repeat(10_000)}\r\n`)],
  ["bytes that are no HTTP", "\u0000\u0001\u0002\r\n\r\n".repeat(500)],
  ["a TLS greeting", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000"],
  ["an expectation", chunked("Expect: 100-continue\r\nContent-Length: 99999999\r\n\r\n")],
  ["an upgrade to nothing", "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: nothing\r\n\r\n"],
  ["a path of 60 KB", `GET /${"a/".repeat(30_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
];

const LISTEN_MS = 300;

const lies: Attack = {
  name: "strangers send messages that break the rules of HTTP",
  by: "strangers",
  short: true,
  async run(stage) {
    for (const [name, message] of LIES)
      await withPeers(stage.server.port, 5, {}, async (peers) => {
        for (const { socket } of peers) socket.write(Buffer.from(message, "latin1"));
        await Promise.race([Promise.all(peers.map(({ gone }) => gone(LISTEN_MS)))]);
        for (const { heard } of peers) {
          const status = Number(/^HTTP\/1\.1 (\d+)/.exec(heard())?.[1] ?? 0);
          stage.must(status < 500, `status ${status} for ${name}`, JSON.stringify(message.slice(0, 120)));
        }
      });
  },
};

const formsOfStrangers: Attack = {
  name: "10 strangers upload 60 MB each",
  by: "strangers",
  short: true,
  run: (stage) => onDisk(stage, () => flood(stage, stage.short ? 3 : 10, multipart(60 * MB)), STRANGERS_DISK),
};

const ofCallers: readonly (readonly [name: string, input: () => unknown, times: number])[] = [
  ["20 callers post 90,000 members each", () => JSON.parse(members(90_000)), 20],
  ["20 callers post lists of 90,000 numbers", () => ({ tags: Array.from({ length: 90_000 }, (_, n) => n) }), 20],
  ["10 callers post 15 MB of text", () => ({ title: "x".repeat(15 * MB) }), 10],
  ["10 callers post 900 KB of notes in a definition", () => ({ title: "Long", notes: "<b>".repeat(300_000) }), 10],
  [
    "20 callers post nests of 60 levels",
    () => ({ title: "x", deep: JSON.parse(`${"[".repeat(60)}${"]".repeat(60)}`) }),
    20,
  ],
];

const callers = ofCallers.map(
  ([name, make, times]): Attack => ({
    name,
    by: "callers",
    short: true,
    async run(stage) {
      const count = stage.short ? Math.ceil(times / 4) : times;
      for (const who of [stage.callers.weak, stage.callers.admin])
        await flood(stage, count, jsonCall("create_tag", make(), who));
    },
  }),
);

/** Kinds of operations to which bodies of any size may be sent. */
const READS = ["search_jobs", "get_events", "get_multiple", "preview_event", "run_event", "create_ticket", "get_jobs"];

const everyRead: Attack = {
  name: "an administrator sends the largest allowed lists to many operations",
  by: "callers",
  short: false,
  async run(stage) {
    const many = Array.from({ length: 80_000 }, (_, n) => `word${n}`);
    for (const operation of READS)
      for (const name of ["ids", "lists", "tags", "targets", "query", "limits", "actions"])
        await stage.ask(jsonCall(operation, { [name]: name === "query" ? many.join(" ") : many }, stage.callers.admin));
  },
};

export const bodies: Part = {
  id: "bodies",
  title: "Bodies that are too large, too deep or lie",
  attacks: [...strangers, formsOfStrangers, lies, ...callers, everyRead],
};
