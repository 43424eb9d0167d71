import { memoryBlobStore } from "@signalbox/core";
import type { AgentLink, AgentMessage, AgentTransport, Clock, HostFunction, Logger } from "@signalbox/core/adapter";
import { createIds, silentLogger, systemClock, systemRandom } from "@signalbox/core/adapter";

export interface Received extends AgentMessage {
  readonly data: Readonly<Record<string, unknown>>;
}

type Match = (message: Received) => boolean;

export interface ConductorOptions {
  readonly clock?: Clock;
  readonly log?: Logger;
  readonly functions?: Readonly<Record<string, HostFunction>>;
  /** Members of `joined` besides the required ones. */
  readonly joined?: Readonly<Record<string, unknown>>;
  /** Answers the agent's hello; by default with a hello that has the id `s1`. */
  readonly onHello?: (link: AgentLink, count: number) => void;
}

/** The node's side of the agent protocol without an engine: admits the agent and keeps its messages. */
export function localConductor(agent: AgentTransport, options: ConductorOptions = {}) {
  const { clock = systemClock, log = silentLogger } = options;
  const blobs = memoryBlobStore({ clock });
  const messages: Received[] = [];
  const events: string[] = [];
  const waiting = new Set<{ match: Match; resolve: (message: Received) => void }>();
  let link: AgentLink | undefined;
  let hellos = 0;
  const answer = (from: AgentLink, cmd: string): void => {
    if (cmd === "hello" && options.onHello) options.onHello(from, ++hellos);
    else if (cmd === "hello") from.send({ cmd: "hello", data: { nonce: "0".repeat(64), id: "s1" } });
    else if (cmd === "join")
      from.send({ cmd: "joined", data: { masterData: { masters: ["m"] }, groups: ["main"], ...options.joined } });
  };
  const receiver = {
    connected(from: AgentLink) {
      link = from;
      events.push("connected");
    },
    disconnected: () => void events.push("disconnected"),
    received(from: AgentLink, message: AgentMessage) {
      // Copies as a network would: only what JSON can carry, and no object shared with the agent.
      const copy = JSON.parse(JSON.stringify(message)) as Received;
      messages.push(copy);
      for (const waiter of waiting)
        if (waiter.match(copy)) {
          waiting.delete(waiter);
          waiter.resolve(copy);
        }
      answer(from, message.cmd);
    },
  };
  const jobOf = (message: Received, id: string) => message.data[id] as Readonly<Record<string, unknown>> | undefined;
  const until = (match: Match): Promise<Received> => {
    const { promise, resolve } = Promise.withResolvers<Received>();
    const found = messages.find(match);
    if (found) resolve(found);
    else waiting.add({ match, resolve });
    return promise;
  };
  return {
    blobs,
    messages,
    events,
    until,
    untilCommand: (cmd: string) => until((message) => message.cmd === cmd),
    /** Next message of a kind after this call. */
    next(cmd: string): Promise<Received> {
      const { promise, resolve } = Promise.withResolvers<Received>();
      waiting.add({ match: (message) => message.cmd === cmd, resolve });
      return promise;
    },
    send: (cmd: string, data: unknown) => link?.send({ cmd, data }) ?? false,
    close: (reason: string) => link?.close(reason),
    async start() {
      const functions = new Map(Object.entries(options.functions ?? {}));
      const random = systemRandom();
      const ids = createIds({ clock, random });
      await agent.start({ receiver, channels: new Map(), clock, random, fetch, ids, log, functions, blobs });
    },
    launch(job: Readonly<Record<string, unknown>>, parts: Readonly<Record<string, unknown>> = {}) {
      const record = {
        id: "j1",
        state: "active",
        plugin: "shellplug",
        command: "[shell-plugin]",
        script: "",
        kill: "all",
        uid: "",
        gid: "",
        env: {},
        limits: [],
        now: 1_800_000_000,
        ...job,
      };
      link?.send({ cmd: "launch_job", data: { job: record, details: {}, sec: {}, ...parts } });
    },
    launchScript(
      script: string,
      params: Readonly<Record<string, unknown>> = {},
      job: Readonly<Record<string, unknown>> = {},
    ) {
      this.launch({ params: { script, annotate: false, json: true, ...params }, ...job });
    },
    /** Last message about a job. */
    async finished(id = "j1"): Promise<Readonly<Record<string, unknown>>> {
      const last = await until((message) => message.cmd === "jobs" && jobOf(message, id)?.["state"] === "complete");
      return jobOf(last, id) ?? {};
    },
    untilJob: (match: (job: Readonly<Record<string, unknown>>) => boolean, id = "j1") =>
      until((message) => message.cmd === "jobs" && match(jobOf(message, id) ?? {})),
    logOf: (id = "j1") =>
      messages
        .filter(({ cmd, data }) => cmd === "job_log" && data["id"] === id)
        .map(({ data }) => data["text"])
        .join(""),
    metaOf: (id = "j1") =>
      messages
        .filter(({ cmd, data }) => cmd === "job_meta" && data["id"] === id)
        .map(({ data }) => String(data["text"])),
  };
}
