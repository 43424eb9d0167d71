/** A disk that fails during work: the server must survive, report it in its own words, and recover by itself. */
import { closeSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { jsonCall } from "../server/http.ts";
import type { Attack, Part, Stage } from "../stage/attack.ts";
import { readMembers } from "../stage/stage.ts";

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const fileOf = ({ server }: Stage): string => join(server.dataDir, "signalbox.sqlite");

/** Reads and writes of every kind; every answer is judged, including refusals. */
const WORK: readonly (readonly [operation: string, input: object])[] = [
  ["get_tags", {}],
  ["get_event", { id: "atk_event" }],
  ["search_jobs", { query: "*" }],
  ["search_tickets", { query: "attacked" }],
  ["search_activity", { query: "*" }],
  ["create_tag", { title: "While it fails" }],
  ["update_event", { id: "atk_event", notes: "While it fails" }],
  ["create_ticket", { subject: "While it fails", type: "issue", status: "open" }],
  ["run_event", { id: "atk_event" }],
  ["decrypt_secret", { id: "atk_secret" }],
  ["get_historical_monitor_data", { server: "local", sys: "hourly", limit: 60 }],
];

async function workOn(stage: Stage, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++)
    await Promise.all(
      WORK.map(([operation, input]) => stage.ask(jsonCall(operation, input, stage.callers.admin), { injected: true })),
    );
}

/** A write that must be refused with its own code; `internal` would mean an unforeseen failure. */
const smallWrite = (stage: Stage) => jsonCall("create_tag", { title: "While it fails" }, stage.callers.admin);

async function mustRefuse(stage: Stage): Promise<void> {
  const answer = await stage.ask(smallWrite(stage), { injected: true });
  const { code, description } = readMembers(answer);
  stage.must(code !== 0, "a write succeeds although the disk refuses it");
  stage.must(code !== "internal", `the code is "internal": ${String(description)}`);
  const health = await stage.http.ask({ path: "/health" });
  stage.must(health.status === 503, `/health answers ${health.status} while nothing can be written`);
}

/** The short form shares the machine with other tests. */
const HEAL_MS = { short: 120_000, long: 15_000 };

/** The server must recover by itself within seconds. */
async function mustHeal(stage: Stage): Promise<void> {
  const until = Date.now() + (stage.short ? HEAL_MS.short : HEAL_MS.long);
  for (;;) {
    const answer = await stage.http.ask(jsonCall("create_tag", { title: "Healed" }, stage.callers.admin));
    const health = await stage.http.ask({ path: "/health" });
    if (readMembers(answer)["code"] === 0 && health.status === 200) return;
    if (Date.now() > until) {
      stage.wrong(`it does not heal: ${answer.text.slice(0, 200)}, /health answers ${health.status}`);
      return;
    }
    await wait(250);
  }
}

async function pragma(stage: Stage, text: string): Promise<void> {
  const fault = await stage.server.pragma(text);
  if (fault !== undefined) throw new Error(`${text}: ${fault}`);
}

/** Makes SQLite itself refuse: its connections are set to write no more pages, or none at all. */
const refusedBy = (name: string, begin: (stage: Stage) => Promise<void>, end: string): Attack => ({
  name,
  by: "callers",
  short: true,
  injected: true,
  async run(stage) {
    await begin(stage);
    await workOn(stage, 3);
    await mustRefuse(stage);
    await pragma(stage, end);
    await mustHeal(stage);
  },
});

/** Repeats a write until it is refused three times in a row: a slightly smaller record may still fit. */
async function fill(stage: Stage, ask: ReturnType<typeof jsonCall>): Promise<void> {
  let refused = 0;
  for (let turn = 0; turn < 600 && refused < 3; turn++) {
    const { text } = await stage.http.ask(ask);
    refused = text.includes('"code":0') ? 0 : refused + 1;
  }
}

const full = refusedBy(
  "the disk is full",
  async (stage) => {
    const { admin } = stage.callers;
    await pragma(stage, "pragma wal_checkpoint(truncate)");
    await pragma(stage, "pragma max_page_count = 1");
    // First uses up the room inside the file, down to the size of the write that must be refused afterwards.
    const ticket = (bytes: number) => jsonCall("create_ticket", { subject: "Full", body: "x".repeat(bytes) }, admin);
    for (const ask of [ticket(200_000), ticket(20_000), ticket(2000), smallWrite(stage)]) await fill(stage, ask);
  },
  "pragma max_page_count = 1073741823",
);
const readOnly = refusedBy(
  "the database is read-only",
  (stage) => pragma(stage, "pragma query_only = 1"),
  "pragma query_only = 0",
);

const PAGE = 4096;

/** Overwrites whole pages with garbage, as a broken disk would. Leaves the first one, which holds the file header. */
function damage(stage: Stage, every: number): void {
  const file = fileOf(stage);
  const pages = Math.floor(statSync(file).size / PAGE);
  const rubbish = Buffer.alloc(PAGE, 0xa5);
  const handle = openSync(file, "r+");
  try {
    for (let page = 1 + (every > 1 ? every : 0); page < pages; page += every)
      writeSync(handle, rubbish, 0, PAGE, page * PAGE);
  } finally {
    closeSync(handle);
  }
}

const damaged = (name: string, every: number): Attack => ({
  name,
  by: "callers",
  short: every === 1,
  injected: true,
  async run(stage) {
    await pragma(stage, "pragma wal_checkpoint(truncate)");
    // Pages that are already in memory would not be read again.
    await pragma(stage, "pragma cache_size = 0");
    await pragma(stage, "pragma shrink_memory");
    damage(stage, every);
    await workOn(stage, stage.short ? 3 : 10);
    await wait(stage.short ? 1500 : 10_000);
    await workOn(stage, 1);
  },
});

const LOCKED_MS = 40_000;

const locked: Attack = {
  name: "another process holds the database",
  by: "callers",
  short: false,
  injected: true,
  async run(stage) {
    const other = new DatabaseSync(fileOf(stage), { timeout: 5000 });
    other.exec("begin immediate");
    try {
      const until = Date.now() + LOCKED_MS;
      while (Date.now() < until) await workOn(stage, 1);
    } finally {
      other.exec("rollback");
      other.close();
    }
    await mustHeal(stage);
  },
};

const gone: Attack = {
  name: "the file of the database is removed",
  by: "callers",
  short: false,
  injected: true,
  async run(stage) {
    for (const end of ["", "-wal", "-shm"]) rmSync(`${fileOf(stage)}${end}`, { force: true });
    await workOn(stage, 5);
    await wait(10_000);
    await workOn(stage, 1);
  },
};

const noBlobs: Attack = {
  name: "the directory of the blobs is removed",
  by: "callers",
  short: true,
  injected: true,
  async run(stage) {
    rmSync(join(stage.server.dataDir, "blobs"), { recursive: true, force: true });
    await workOn(stage, 2);
    const upload = (): Promise<{ text: string }> =>
      stage.ask(
        {
          method: "POST",
          path: "/api/app/upload_files/v1",
          headers: { ...stage.callers.admin, "Content-Type": "multipart/form-data; boundary=x" },
          body: '--x\r\nContent-Disposition: form-data; name="file1"; filename="a.txt"\r\n\r\nhello\r\n--x--\r\n',
        },
        { injected: true },
      );
    await upload();
    const { text } = await upload();
    stage.must(text.includes('"code":0'), `files cannot be stored any more: ${text.slice(0, 200)}`);
  },
};

export const storage: Part = {
  id: "storage",
  title: "Failing storage",
  apart: true,
  sqliteOnly: true,
  attacks: [
    full,
    readOnly,
    noBlobs,
    damaged("every page is damaged", 1),
    damaged("one page of twenty is damaged", 20),
    locked,
    gone,
  ],
};
