import type { Connection, GraphNode } from "../work/graphs/model.ts";
import { type JobsOptions, startJobs } from "./test-jobs.ts";

type Members = Readonly<Record<string, unknown>>;

/** A job as its agent receives it. */
interface LaunchedJob {
  readonly id: string;
  readonly workflow?: { readonly node?: string };
}

export interface WorkflowOptions extends JobsOptions {
  /** Ids of the servers; all are in the group `main`. */
  readonly servers?: readonly string[];
  /** True = servers whose jobs survive the engine, like jobs on other machines. */
  readonly satellites?: boolean;
}

/** How the agent answers a job of a graph node. */
export interface Behaviour {
  /** Members of the last update. */
  readonly gives?: Members;
  /** Returns the input as the output. */
  readonly echoes?: boolean;
  /** True = the job stays silent until it is told to end. */
  readonly hangs?: boolean;
}

export interface TestGraph {
  readonly nodes: readonly GraphNode[];
  /** "a>b:success" */
  readonly wires: readonly string[];
  readonly input?: Members;
  /** Further members of the event. */
  readonly event?: Members;
}

interface Launched {
  readonly id: string;
  readonly node: string;
  readonly input: unknown;
}

const SETTLE_SEC = 0.01;
const MAX_SETTLES = 3000;

/** An engine whose agents answer at once, as the graph nodes' `Behaviour` says. */
export async function startWorkflows({ servers = ["s1"], satellites = false, ...options }: WorkflowOptions = {}) {
  const jobs = await startJobs({ ...options, config: { max_jobs_per_min: 0, ...options.config } });
  const { api } = jobs.signalbox;
  const behaviours = new Map<string, Behaviour>();
  const launches: Launched[] = [];
  const connected = [];
  for (const id of servers) {
    const server = await jobs.connect({
      id,
      hostname: `${id}.example.internal`,
      ...(satellites ? { join: { clusterKey: "EXAMPLE_CLUSTER_KEY" } } : {}),
      onMessage(message) {
        if (message.cmd === "launch_job") answer(message.data as never);
        if (message.cmd === "abort_job") stop(message.data as never);
      },
    });
    connected.push(server);
    const stop = ({ id: job, reason }: { id: string; reason: string }): void =>
      server.send("jobs", { [job]: { state: "complete", complete: true, code: "abort", description: reason } });
    const answer = ({ job, details }: { job: LaunchedJob; details: Members }): void => {
      const { id, workflow: { node = "" } = {} } = job;
      launches.push({ id, node, input: details["input"] });
      const { gives = {}, echoes, hangs } = behaviours.get(node) ?? {};
      if (hangs) return;
      const { data } = (details["input"] ?? {}) as { data?: Members };
      const last = { state: "complete", complete: true, code: 0, ...gives, ...(echoes ? { data } : {}) };
      server.send("jobs", { [id]: last });
    };
  }
  const [server] = connected;
  if (!server) throw new Error("No server");
  if (!options.storage) await api.createTag({ id: "nightly", title: "Nightly" });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await jobs.settle(SETTLE_SEC);
  };
  const node = (id: string, type: GraphNode["type"], data: Members): GraphNode =>
    ({ id, type, x: 0, y: 0, data }) as unknown as GraphNode;
  const active = async (id: string) => (await api.getJob({ id })).job;
  return {
    ...jobs,
    api,
    server,
    settle,
    active,
    advance: async (seconds: number) => {
      await jobs.clock.advance(seconds);
      await settle();
    },
    manual: node("start", "trigger", {}),
    node,
    controller: (id: string, data: Members) => node(id, "controller", data),
    /** A graph node that runs the shell plugin; the agent behaves as given. */
    job(id: string, behaviour: Behaviour = {}, data: Members = {}): GraphNode {
      behaviours.set(id, behaviour);
      const params = { script: "true", annotate: false, json: false };
      return node(id, "job", { plugin: "shellplug", category: "general", targets: ["main"], params, ...data });
    },
    behaves: (id: string, behaviour: Behaviour) => void behaviours.set(id, behaviour),
    event: (graph: TestGraph) => createWorkflow(api, graph),
    async run(graph: TestGraph) {
      const event = await createWorkflow(api, graph);
      const { id } = await api.runEvent({ id: event, ...given(graph) } as never);
      return { id, event };
    },
    /** Waits until the job is final. */
    async final(id: string) {
      for (let turn = 0; turn < MAX_SETTLES; turn++) {
        const { job } = await api.getJob({ id });
        if (job.final) {
          await settle();
          return { job };
        }
        await jobs.settle(turn < 50 ? SETTLE_SEC : 1);
      }
      throw new Error(`Job ${id} does not end: ${JSON.stringify((await api.getJob({ id })).job)}`);
    },
    ranNodes: () => launches.map((launch) => launch.node),
    idsOf: (name: string) => launches.filter((launch) => launch.node === name).map(({ id }) => id),
    inputOf: (name: string): { data?: unknown; files?: unknown }[] =>
      launches.filter((launch) => launch.node === name).map(({ input }) => input as never),
    async jobsOf(name: string) {
      const ids = launches.filter((launch) => launch.node === name).map(({ id }) => id);
      return (await api.getJobs({ ids, verbose: true } as never)).jobs;
    },
    /** Ids of jobs that are not final. */
    leftOver: async () => (await api.getActiveJobs()).rows.map(({ id }) => id),
  };
}

const given = ({ input }: TestGraph) => (input ? { input } : {});

function graphOf({ nodes, wires }: TestGraph) {
  const connections = wires.map((wire, index): Connection => {
    const [, source = "", dest = "", condition] = /^(\w+)>(\w+)(?::(.+))?$/.exec(wire) ?? [];
    return { id: `c${index + 1}`, source, dest, ...(condition ? { condition } : {}) };
  });
  return { nodes, connections };
}

type Api = Awaited<ReturnType<typeof startJobs>>["signalbox"]["api"];

async function createWorkflow(api: Api, graph: TestGraph): Promise<string> {
  const { event } = await api.createEvent({
    title: "Flow",
    enabled: true,
    type: "workflow",
    category: "general",
    plugin: "_workflow",
    targets: [],
    algo: "random",
    triggers: [{ type: "manual", enabled: true, id: "start" }],
    workflow: graphOf(graph),
    ...graph.event,
  } as never);
  return event.id;
}
