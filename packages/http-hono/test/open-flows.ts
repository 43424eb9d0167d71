import type { ScriptedServer } from "@signalbox/core/testing";
import { openEngine } from "./boxes/fleet-engine.ts";
import { untilOf } from "./until.ts";

type Members = Record<string, unknown>;

/** The launch of a graph node's job, as the agent received it. */
interface Launched {
  readonly node: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into jobs of any shape
  readonly job: any;
  readonly input: Members;
  readonly secrets: Members;
}

/** The last message about a job, or a function that makes it from the job's id. */
type Reply = Members | ((job: string) => Members);

/** A workflow in short form: types of nodes, data of controllers or whole nodes by id, and wires such as "a>b:success". */
export interface ShortFlow {
  readonly nodes: Readonly<Record<string, string | Members>>;
  readonly wires: readonly string[];
  /** Last messages of the agent about the jobs of a node, in order; further jobs succeed with `{ <node>: 1 }`. */
  readonly answers?: Readonly<Record<string, readonly Reply[]>>;
  readonly input?: Members;
  /** Further members of the event, and of the call that runs it. */
  readonly event?: Members;
  readonly run?: Members;
}

const SHELL = { plugin: "shellplug", category: "general", targets: ["s1"], params: { script: "true" } };

function nodeOf(id: string, what: string | Members): Members {
  const base = { id, x: 0, y: 0 };
  if (what === "job") return { ...base, type: "job", data: SHELL };
  if (typeof what === "string") return { ...base, type: what, data: {} };
  return "controller" in what ? { ...base, type: "controller", data: what } : { ...base, ...what };
}

function wireOf(text: string, index: number): Members {
  const [, source, dest, condition] = /^(\w+)>(\w+)(?::(.+))?$/.exec(text) ?? [];
  return { id: `c${index + 1}`, source, dest, ...(condition ? { condition } : {}) };
}

/** An engine whose servers answer depending on the graph node of a job. */
export async function openFlows(name: string, config: Members = {}, more: Parameters<typeof openEngine>[1] = {}) {
  const settings = { tz: "UTC", max_jobs_per_min: 0, job_universal_actions: { default: [], workflow: [] }, ...config };
  const at = await openEngine(name, { config: settings, ...more });
  const until = untilOf(at.clock);
  const launched: Launched[] = [];
  const servers = new Map<string, ScriptedServer>();
  const answers = new Map<string, Reply[]>();
  const end = (job: string, members: Members = {}): void => {
    const { server } = launched.find((each) => each.job.id === job)?.job ?? {};
    servers.get(server)?.send("jobs", { [job]: { state: "complete", complete: true, code: 0, ...members } });
  };
  for (const id of ["s1", "s2"]) {
    const server = await at.agent.connect({
      ...{ hostname: `${id}.example.internal`, id, initial: { groups: ["main"] } },
      onMessage({ cmd, data }) {
        if (cmd === "abort_job") end((data as { id: string }).id, { code: "abort", description: "stopped" });
        if (cmd !== "launch_job") return;
        const { job, details, sec } = data as { job: Launched["job"]; details: Members; sec?: Members };
        const node = job.workflow?.node ?? "";
        launched.push({ node, job, input: (details["input"] ?? {}) as Members, secrets: sec ?? {} });
        const reply = answers.get(node)?.shift() ?? { data: { [node]: 1 } };
        const answer = typeof reply === "function" ? reply(job.id) : reply;
        if (!answer["hangs"]) end(job.id, answer);
      },
    });
    servers.set(id, server);
  }
  const read = async (id: string) => (await at.admin.get(`get_job/v1?id=${id}`)).body.job;
  let count = 0;
  const create = async ({ nodes, wires, event = {} }: ShortFlow): Promise<string> => {
    const all = Object.entries({ start: "trigger", ...nodes }).map(([id, what]) => nodeOf(id, what));
    const { body } = await at.admin.post("create_event", {
      ...{ id: `flow${++count}`, title: "Flow", enabled: true, type: "workflow", category: "general" },
      ...{ plugin: "_workflow", triggers: [{ id: "start", type: "manual", enabled: true }] },
      workflow: { nodes: all, connections: wires.map(wireOf) },
      ...event,
    });
    if (body.code !== 0) throw new Error(JSON.stringify(body));
    return `flow${count}`;
  };
  const start = async (flow: ShortFlow): Promise<string> => {
    launched.length = 0;
    answers.clear();
    for (const [node, list] of Object.entries(flow.answers ?? {})) answers.set(node, [...list]);
    const input = flow.input ? { input: { data: flow.input } } : {};
    const { body } = await at.admin.post("run_event", { id: await create(flow), ...input, ...flow.run });
    if (body.code !== 0) throw new Error(JSON.stringify(body));
    return body.id;
  };
  return {
    ...{ ...at, until, read, create, start, launched, servers, end },
    /** Waits until an agent has received the given number of jobs of a node, and returns them. */
    async told(node: string, count = 1): Promise<readonly Launched[]> {
      const found = () => launched.filter((each) => each.node === node);
      await until(() => found().length >= count);
      return found();
    },
    /** Calls an operation that must succeed, and returns its answer. */
    async must(operation: string, members: object) {
      const { body } = await at.admin.post(operation, members);
      if (body.code !== 0) throw new Error(`${operation}: ${JSON.stringify(body)}`);
      return body;
    },
    /** Runs the workflow to its end. */
    async play(flow: ShortFlow) {
      const id = await start(flow);
      await until(async () => (await read(id)).final === true);
      return { job: await read(id), ran: launched.map(({ node }) => node).join(" "), launched: [...launched] };
    },
  };
}
