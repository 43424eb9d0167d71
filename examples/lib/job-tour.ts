import { type createSignalbox, defineEvent } from "@signalbox/core";
import { until } from "./until.ts";

type Box = Awaited<ReturnType<typeof createSignalbox>>;

const FLAKY = "quick_start_flaky";
const QUEUED = "quick_start_queued";
const ENDLESS = "quick_start_endless";
const WAIT_MS = 20_000;

const say = (text: string): void => console.log(text);
const time = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 21);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A function that fails twice, one that runs one at a time, and one that never ends on its own. */
export function jobTourEvents() {
  let attempts = 0;
  const flaky = defineEvent({
    id: FLAKY,
    title: "Succeeds at the third attempt",
    limits: [{ type: "retry", enabled: true, amount: 5, duration: 0.2, backoff: 2 }],
    run: () => {
      attempts += 1;
      if (attempts < 3) throw new Error(`Attempt ${attempts} failed`);
      return { attempts };
    },
  });
  const queued = defineEvent({
    id: QUEUED,
    title: "One at a time",
    limits: [
      { type: "job", enabled: true, amount: 1 },
      { type: "queue", enabled: true, amount: 10 },
    ],
    run: async () => pause(100),
  });
  const endless = defineEvent({
    id: ENDLESS,
    title: "Never ends by itself",
    run: async ({ log, signal }) => {
      for (let line = 1; !signal.aborted; line++) {
        log(`line ${line}`);
        await pause(50);
      }
    },
  });
  return [flaky, queued, endless];
}

/** Shows a retry with growing delay, a line of waiting jobs, a log while it is written, and an abort. */
export async function tellJobs(signalbox: Box): Promise<void> {
  await tellRetry(signalbox);
  await tellQueue(signalbox);
  await tellAbort(signalbox);
  await tellSchedule(signalbox);
}

const finalJob = async ({ api }: Box, id: string) => {
  await until(async () => (await api.getJob({ id })).job.completed !== undefined, WAIT_MS);
  return (await api.getJob({ id })).job;
};

async function tellRetry(signalbox: Box): Promise<void> {
  const { id: first } = await signalbox.api.runEvent({ id: FLAKY });
  say("Job retried        each attempt is a job of its own, after twice the delay of the one before:");
  for (let id: string | undefined = first; id !== undefined; ) {
    const { code, description, completed, jobs } = await finalJob(signalbox, id);
    say(`    ${time(Number(completed))}   ${id}  ${code === 0 ? "succeeded" : `code ${code}: ${description}`}`);
    [id] = ((jobs ?? []) as { id: string; reason: string }[]).flatMap(({ id: next, reason }) =>
      reason === "retry" ? [next] : [],
    );
  }
}

async function tellQueue({ api }: Box): Promise<void> {
  const launched = await Promise.all([1, 2, 3].map(() => api.runEvent({ id: QUEUED })));
  const { rows } = await api.getActiveJobs({ event: QUEUED });
  const states = rows.map(({ state }) => state).join(", ");
  await until(async () => (await api.getActiveJobs({ event: QUEUED })).rows.length === 0, WAIT_MS);
  say(`Jobs queued        ${launched.length} launched at once, one runs at a time: ${states}`);
}

async function tellAbort(signalbox: Box): Promise<void> {
  const { api } = signalbox;
  const { id } = await api.runEvent({ id: ENDLESS });
  const { body } = await api.streamJob({ id });
  say(`Job streamed       ${id}, as its stream of events tells it:`);
  let aborted = false;
  for await (const piece of body ?? []) {
    const text = Buffer.from(piece).toString().trim();
    const [, name] = /^event: (\w+)/.exec(text) ?? [];
    const { state, code, description } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? "{}");
    const facts = { state, code, description };
    say(
      `    ${name} ${Object.values(facts).some((fact) => fact !== undefined) ? JSON.stringify(facts) : ""}`.trimEnd(),
    );
    if (aborted || state !== "active") continue;
    await until(async () => (await api.tailLiveJobLog({ id, bytes: 100 })).text.includes("line 2"), WAIT_MS);
    say(`    its log so far: ${(await api.tailLiveJobLog({ id, bytes: 100 })).text.trim().replaceAll("\n", ", ")}`);
    await api.abortJob({ id });
    aborted = true;
  }
  const { code } = await finalJob(signalbox, id);
  say(`Job aborted        ${id}, final code "${code}"`);
}

async function tellSchedule({ api }: Box): Promise<void> {
  const { rows } = await api.previewEvent({ id: "greet", limit: 3 });
  say(`Scheduled          "Greet from inside the process" runs next at ${rows.map(({ date }) => date).join(", ")}\n`);
}
