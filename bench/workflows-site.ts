/** An engine, in its own process, with satellites that answer at once: measures workflows and plain jobs. */
import { readFileSync } from "node:fs";
import { createSignalbox, type Logger, silentLogger } from "@signalbox/core";
import { scriptedAgent } from "@signalbox/core/testing";
import { pgStorage } from "@signalbox/storage-pg";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import { watchPieces } from "./pieces.ts";
import type { FlowOrder, FlowReport } from "./workflows.ts";

const MAX_JOBS = 20_000;
const [place = "", servers = "10"] = process.argv.slice(2);
const failed: Logger["error"] = ({ error, ...fields }, message) => console.error(message, fields, error);
const log: Logger = { ...silentLogger, error: failed };

const agents = scriptedAgent();
const engine = createSignalbox({
  storage: place.startsWith("postgres")
    ? pgStorage({ connectionString: place, log })
    : sqliteStorage({ filename: place, log }),
  secretKey: "a key for benchmarks only",
  agents,
  log,
  config: { max_jobs_per_min: 0, max_jobs_per_workflow: MAX_JOBS },
});
const ends = new Map<string, () => void>();
/** Ends that arrived before anybody waited: a plain job may end before its id is known. */
const early = new Set<string>();
engine.events.on("job.completed", ({ id }) => {
  const end = ends.get(id);
  if (end) end();
  else early.add(id);
});
await engine.start();
// Alerts of a busy machine would keep jobs away from it.
for (const { id } of (await engine.api.getAlerts({})).rows) await engine.api.deleteAlert({ id });
for (let index = 0; index < Number(servers); index++) {
  const server = await agents.connect({
    hostname: `bench${index}`,
    id: `bench${index}`,
    initial: { groups: ["main"] },
    onMessage({ cmd, data }) {
      if (cmd !== "launch_job") return;
      const { job } = data as { job: { id: string } };
      server.send("jobs", { [job.id]: { ...job, state: "complete", complete: true, code: 0, progress: 1 } });
    },
  });
}

const plugin = { plugin: "shellplug", category: "general", targets: ["main"], params: { script: "true" } };
const manual = { id: "start", type: "manual", enabled: true };
const node = (id: string, type: string, data: object = {}) => ({ id, type, x: 0, y: 0, data });
const wire = (source: string, dest: string, condition?: string) => ({
  ...{ id: `${source}_${dest}`, source, dest },
  ...(condition ? { condition } : {}),
});
const controlled = (data: object, job: object = plugin) => ({
  nodes: [node("start", "trigger"), node("x", "controller", data), node("a", "job", job)],
  connections: [wire("start", "x"), wire("x", "a")],
});
/** Ids of the first servers. */
const serverIds = (size: number): string[] => Array.from({ length: size }, (_, index) => `bench${index}`);
function chain(length: number) {
  const ids = Array.from({ length }, (_, index) => `a${index}`);
  return {
    nodes: [node("start", "trigger"), ...ids.map((id) => node(id, "job", plugin))],
    connections: ids.map((id, index) => (index === 0 ? wire("start", id) : wire(`a${index - 1}`, id, "success"))),
  };
}
const graphs = {
  split: () => controlled({ controller: "split", split: "data.list" }),
  multiplex: (size: number) => controlled({ controller: "multiplex" }, { ...plugin, targets: serverIds(size) }),
  chain,
};

await engine.api.createEvent({
  ...{ id: "plain", title: "Nothing", enabled: true, algo: "random", triggers: [manual], ...plugin },
} as never);

async function ended(id: string): Promise<void> {
  if (!early.delete(id)) await new Promise<void>((resolve) => ends.set(id, resolve));
  ends.delete(id);
}

async function plainJobs({ size, underWay = 1 }: FlowOrder): Promise<undefined> {
  let left = size;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await ended((await engine.api.runEvent({ id: "plain" })).id);
  };
  await Promise.all(Array.from({ length: underWay }, worker));
}

const eventOf = ({ shape, size }: FlowOrder): string => (shape === "plain" ? shape : `${shape}_${size}`);

async function makeEvent(order: FlowOrder): Promise<void> {
  const { shape, size } = order;
  const id = eventOf(order);
  if (shape === "plain" || (await engine.api.getEvents({})).rows.some((event) => event.id === id)) return;
  const members = { ...{ id, title: id, enabled: true, type: "workflow", category: "general" }, triggers: [manual] };
  await engine.api.createEvent({ ...members, workflow: graphs[shape](size) } as never);
}

async function flow(order: FlowOrder): Promise<string> {
  // Only for a split: a multiplexer would hand all of the list to each of its jobs.
  const items = order.shape === "split" ? order.size : 0;
  const input = { data: { list: Array.from({ length: items }, (_, index) => `item ${index}`) } };
  const run = await engine.api.runEvent({ id: eventOf(order), input } as never);
  await ended(run.id);
  early.clear();
  return run.id;
}

async function check(id: string, size: number): Promise<void> {
  const { job } = await engine.api.getJob({ id });
  const stubs = Object.values((job.workflow as { jobs: Record<string, unknown[]> }).jobs).flat();
  if (job.code !== 0 || stubs.length !== size)
    throw new Error(`${id} ended with ${String(job.code)}, ${job.description}, and ${stubs.length} jobs`);
}

const pieces = watchPieces();

/** Bytes that this process wrote so far: pages of a file, or statements to a server. */
const writtenBytes = (): number => Number(/^wchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1] ?? 0);

async function obey(order: FlowOrder): Promise<FlowReport> {
  await makeEvent(order);
  pieces.reset();
  const written = writtenBytes();
  const { user, system } = process.cpuUsage();
  const id = await (order.shape === "plain" ? plainJobs(order) : flow(order));
  const spent = process.cpuUsage({ user, system });
  const bytes = writtenBytes() - written;
  const report = await pieces.report(order.aimMs);
  if (id !== undefined) await check(id, order.size);
  // The clean-up after a workflow must not count in the next measurement.
  await new Promise((resolve) => setTimeout(resolve, 500));
  return { jobs: order.size, cpuMicros: spent.user + spent.system, written: bytes, pieces: report };
}

process.on("message", (order: FlowOrder) => {
  obey(order).then(
    (report) => process.send?.(report),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on("disconnect", () => process.exit());
process.send?.({ ready: true });
