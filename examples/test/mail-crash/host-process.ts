import { startAsked } from "../asked-process.ts";
import type { Command, Sight } from "./protocol.ts";

/** A host in its own process. */
export interface Host {
  /** Rejects when the host is killed meanwhile. */
  create(id: string): Promise<void>;
  update(id: string): Promise<void>;
  shift(seconds: number): Promise<void>;
  look(id: string): Promise<Sight>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
}

export async function startHost(env: Readonly<Record<string, string>>): Promise<Host> {
  const { ask, kill } = await startAsked<Command, Sight | undefined>(new URL("host.ts", import.meta.url), env);
  return {
    kill,
    create: async (id) => void (await ask({ kind: "create", id })),
    update: async (id) => void (await ask({ kind: "update", id })),
    shift: async (seconds) => void (await ask({ kind: "shift", seconds })),
    async look(id) {
      const sight = await ask({ kind: "look", id });
      if (!sight) throw new Error("The host did not look");
      return sight;
    },
  };
}
