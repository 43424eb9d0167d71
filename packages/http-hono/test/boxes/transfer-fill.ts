import { expect } from "vitest";
import { type Any, type Box, KEY } from "./transfer-box.ts";

const NOW = 1_800_000_000;

type Create = (operation: string, body: object) => Promise<Any>;

/** Creates one record of each kind, and a job that has run. */
export async function fill(at: Box) {
  const create: Create = async (operation, body) => {
    const answer = await at.post(operation, body);
    expect(answer.body, operation).toMatchObject({ code: 0 });
    return answer.body;
  };
  for (const [operation, members] of DEFINITIONS) await create(operation, members);
  await at.send("/api/user/admin_create/v1", {
    method: "POST",
    headers: { "x-api-key": KEY, "content-type": "application/json" },
    body: JSON.stringify({ username: "J.Doe", full_name: "J", email: "j@example.com", password: "correct horse 9" }),
  });
  await ticketWithFile(at, create);
  const { server, job } = await finishedJob(at, create);
  const points = Array.from({ length: 130 }, (_, n) => ({
    ...{ epoch_div: NOW / 60 - 200 + n, date: NOW - (200 - n) * 60, count: 1 },
    ...{ totals: { m1: n / 10 }, deltas: { net: n }, alerts: n === 5 ? { a1: true as const } : {} },
  }));
  await at.storage.write((tx) =>
    tx.timeline.putMany(points.map((point) => ({ server: "s1", system: "hourly", point }))),
  );
  return { server, job };
}

const DEFINITIONS: readonly (readonly [operation: string, members: object])[] = [
  ["create_tag", { id: "t1", title: "Größe 3" }],
  ["create_category", { id: "c1", title: "C", limits: [], actions: [] }],
  ["create_group", { id: "g1", title: "G", hostname_match: "^s", alert_actions: [] }],
  [
    "create_role",
    {
      id: "r1",
      title: "R",
      enabled: true,
      privileges: { run_jobs: true },
      categories: [],
      groups: [],
    },
  ],
  ["create_channel", { id: "ch1", title: "Ch", enabled: true, users: ["admin"] }],
  [
    "create_web_hook",
    {
      id: "w1",
      title: "W",
      url: "https://example.com/hook",
      method: "POST",
      headers: [],
      body: "{}",
    },
  ],
  ["create_monitor", { id: "m1", title: "M", source: "cpu.avgLoad", data_type: "float" }],
  ["create_alert", { id: "a1", title: "A", expression: "monitors.m1 > 5", message: "high", samples: 1 }],
  ["create_silence", { id: "si1", title: "S", servers: ["s1"], end: NOW + 3600 }],
  [
    "create_secret",
    {
      id: "se1",
      title: "Se",
      fields: [{ name: "TOKEN", value: "hunter2canary" }],
      events: ["e1"],
    },
  ],
  [
    "create_event",
    {
      ...{ id: "e1", title: "E", enabled: true, category: "c1", plugin: "shellplug", targets: ["s1"], algo: "random" },
      ...{ params: { script: "echo" }, triggers: [{ type: "manual", enabled: true }] },
    },
  ],
  ["create_api_key", { title: "K", privileges: { run_jobs: true } }],
];

async function ticketWithFile(at: Box, create: Create): Promise<void> {
  const form = new FormData();
  form.set("file1", new File(["attachment"], "note.txt"));
  const ticket = await create("create_ticket", { subject: "T", body: "b", type: "issue", status: "open" });
  await at.send(`/api/app/upload_user_ticket_files/v1?ticket=${ticket.ticket.id}`, {
    method: "POST",
    body: form,
    headers: { "x-api-key": KEY },
  });
}

async function finishedJob(at: Box, create: Create) {
  const server = await at.agent.connect({ hostname: "s1.example.internal", id: "s1" });
  const { id } = await create("run_event", { id: "e1" });
  await at.until(() => server.received.some(({ cmd }) => cmd === "launch_job"));
  server.send("jobs", { [id]: { state: "complete", complete: true, code: 0 } });
  await at.until(async () => (await at.admin.get(`get_job/v1?id=${id}`)).body.job?.final === true);
  await at.blobs.put(`files/jobs/${id}/abc/out.txt`, bytesOf("output"));
  await at.blobs.put(`files/jobs/${id}/abc/large.bin`, bytesOf("x".repeat(1_100_000)));
  return { server, job: id as string };
}

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}
