import { openEngine } from "./fleet-engine.ts";
import { untilOf } from "./until.ts";

type Members = Record<string, unknown>;

/** A workflow in short: types of nodes, data of controllers or whole nodes by id, and wires such as "a>b:success". */
export interface ShortFlow {
  readonly nodes: Readonly<Record<string, string | Members>>;
  readonly wires: readonly string[];
  /** Last messages of the agent about the jobs of a node, one after the other; what is left out succeeds with `{ <node>: 1 }`. */
  readonly answers?: Readonly<Record<string, readonly Members[]>>;
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

/** An engine whose servers answer by the node that a job stands for. */
export async function openFlows(name: string, config: Members = {}) {
  const settings = { tz: "UTC", max_jobs_per_min: 0, job_universal_actions: { default: [], workflow: [] }, ...config };
  const at = await openEngine(name, { config: settings });
  const until = untilOf(at.clock);
  const launched: { readonly node: string; readonly job: Members; readonly input: Members }[] = [];
  const answers = new Map<string, Members[]>();
  for (const id of ["s1", "s2"]) {
    const end = (job: string, members: Members): void =>
      server.send("jobs", { [job]: { state: "complete", complete: true, code: 0, ...members } });
    const server = await at.agent.connect({
      ...{ hostname: `${id}.example.internal`, id, initial: { groups: ["main"] } },
      onMessage({ cmd, data }) {
        if (cmd === "abort_job") end((data as { id: string }).id, { code: "abort", description: "stopped" });
        if (cmd !== "launch_job") return;
        const { job, details } = data as { job: { id: string; workflow: { node: string } }; details: Members };
        const { node } = job.workflow;
        launched.push({ node, job, input: (details["input"] ?? {}) as Members });
        const answer = answers.get(node)?.shift() ?? { data: { [node]: 1 } };
        if (!answer["hangs"]) end(job.id, answer);
      },
    });
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
    ...{ ...at, until, read, create, start, launched },
    /** Runs it to its end. */
    async play(flow: ShortFlow) {
      const id = await start(flow);
      await until(async () => (await read(id)).final === true);
      return { job: await read(id), ran: launched.map(({ node }) => node).join(" "), launched: [...launched] };
    },
  };
}
