import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Command, Reply, Sight } from "./protocol.ts";

/** A host in a process of its own. */
export interface Host {
  /** Rejects when the host is killed meanwhile. */
  create(id: string): Promise<void>;
  update(id: string): Promise<void>;
  shift(seconds: number): Promise<void>;
  look(id: string): Promise<Sight>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
}

const program = fileURLToPath(new URL("host.ts", import.meta.url));
type Unnumbered<T> = T extends Command ? Omit<T, "n"> : never;

export async function startHost(env: Readonly<Record<string, string>>): Promise<Host> {
  const child = fork(program, { execArgv: ["--conditions=@signalbox/source"], env: { ...process.env, ...env } });
  const waiting = new Map<number, { resolve(reply: Reply): void; reject(error: Error): void }>();
  let last = 0;
  const expectReply = (n: number): Promise<Reply> =>
    new Promise((resolve, reject) => waiting.set(n, { resolve, reject }));
  child.on("message", (reply: Reply) => {
    const waiter = waiting.get(reply.n);
    waiting.delete(reply.n);
    if (reply.error === undefined) waiter?.resolve(reply);
    else waiter?.reject(new Error(reply.error));
  });
  const gone = once(child, "exit").then(() => {
    for (const { reject } of waiting.values()) reject(new Error("The host is gone"));
  });
  const ask = (command: Unnumbered<Command>): Promise<Reply> => {
    const n = ++last;
    const answer = expectReply(n);
    // A host that is killed meanwhile has no channel any more; its exit rejects what waits.
    if (child.connected) child.send({ ...command, n }, () => undefined);
    else waiting.get(n)?.reject(new Error("The host is gone"));
    return answer;
  };
  await expectReply(0);
  return {
    create: async (id) => void (await ask({ kind: "create", id })),
    update: async (id) => void (await ask({ kind: "update", id })),
    shift: async (seconds) => void (await ask({ kind: "shift", seconds })),
    async look(id) {
      const { sight } = await ask({ kind: "look", id });
      if (!sight) throw new Error("The host did not look");
      return sight;
    },
    async kill() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}
