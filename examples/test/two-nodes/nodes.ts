import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { CODE } from "../program.ts";
import type { Report } from "./protocol.ts";

export interface Node {
  readonly url: string;
  readonly isAlive: boolean;
  call(operation: string, body?: object): Promise<Record<string, unknown>>;
  /** Resolves with the exit code; null when the signal ended it. */
  kill(signal: NodeJS.Signals): Promise<number | null>;
  /** Sends a signal that does not end the process. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
}

/** The nodes that are alive and not stalled, and the leading one. */
export interface Cluster {
  start(): Promise<Node>;
  /** Stalls the process of a node until the returned function is called; callers do not use it meanwhile. */
  standStill(node: Node): () => void;
  readonly nodes: readonly Node[];
  /** Waits until a node leads. */
  leader(): Promise<Node>;
  /** Waits until another node than this one leads. */
  otherLeader(than: Node): Promise<Node>;
  stderr(): string;
}

const PROGRAM = fileURLToPath(new URL("node.ts", import.meta.url));
const LOOK_MS = 20;

export function createCluster(env: Readonly<Record<string, string>>, adminKey: string): Cluster {
  const nodes: Node[] = [];
  let leading: Node | undefined;
  let stderr = "";
  const leader = async (not?: Node): Promise<Node> => {
    while (!leading?.isAlive || leading === not) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    return leading;
  };
  const forget = (node: Node): void => {
    if (nodes.includes(node)) nodes.splice(nodes.indexOf(node), 1);
  };
  return {
    nodes,
    standStill(node) {
      forget(node);
      node.signal("SIGSTOP");
      return () => {
        node.signal("SIGCONT");
        nodes.push(node);
      };
    },
    leader: () => leader(),
    otherLeader: leader,
    stderr: () => stderr,
    async start() {
      const child = fork(PROGRAM, {
        execArgv: [...CODE],
        stdio: ["ignore", "pipe", "pipe", "ipc"],
        env: { ...process.env, ...env, ADMIN_KEY: adminKey },
      });
      for (const stream of [child.stderr, child.stdout])
        stream?.on("data", (chunk) => {
          stderr = (stderr + String(chunk)).slice(-20_000);
        });
      const seen: { node?: Node; leads: boolean } = { leads: false };
      child.on("message", ({ kind }: Report) => {
        if (kind !== "leads") return;
        // A node may lead before it listens.
        seen.leads = true;
        if (seen.node) leading = seen.node;
      });
      const node = nodeOf(child, { adminKey, port: await portOf(child, () => stderr) });
      seen.node = node;
      if (seen.leads) leading = node;
      nodes.push(node);
      child.once("exit", () => {
        forget(node);
        if (leading === node) leading = undefined;
      });
      return node;
    },
  };
}

/** The port that a node reports to listen on; rejects when the node ends before. */
async function portOf(child: ChildProcess, stderr: () => string): Promise<number> {
  const listens = new Promise<number>((resolve) =>
    child.on("message", (message: Report) => message.kind === "listens" && resolve(message.port)),
  );
  const failed = once(child, "exit").then(([code]): never => {
    throw new Error(`A node ended with ${String(code)} before it listened: ${stderr()}`);
  });
  failed.catch(() => undefined);
  return Promise.race([listens, failed]);
}

function nodeOf(child: ChildProcess, { adminKey, port }: { readonly adminKey: string; readonly port: number }): Node {
  const exited = once(child, "exit") as Promise<[number | null]>;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    get isAlive() {
      return child.exitCode === null && child.signalCode === null && !child.killed;
    },
    async call(operation, body = {}) {
      const response = await fetch(`${url}/api/app/${operation}/v1`, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "Content-Type": "application/json", "X-API-Key": adminKey },
      });
      const answer = (await response.json()) as Record<string, unknown>;
      if (answer["code"] !== 0) throw new Error(`${operation} was refused: ${JSON.stringify(answer)}`);
      return answer;
    },
    signal: (signal) => void process.kill(child.pid ?? 0, signal),
    async kill(signal) {
      child.kill(signal);
      const [code] = await exited;
      return code;
    },
  };
}
