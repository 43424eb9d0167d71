import type { Cradle } from "../../../kernel/container.ts";
import { localClient } from "../../../kernel/context.ts";
import { NotFoundError } from "../../../kernel/errors.ts";
import type { TransactOptions } from "../../../kernel/unit-of-work.ts";
import { serverCollection } from "../collection.ts";
import type { Server } from "../model.ts";
import { type Arrival, changesOf, connectServer, type Grouping } from "../rules/connect.ts";
import { niceServer } from "../rules/public.ts";
import { createGate } from "./gate.ts";

/** What is written when servers come and go (part 21 §2.1, §2.2). */
export interface Arrivals {
  arrived(arrival: Arrival, grouping: Grouping): Promise<Server>;
  departed(server: Server, now: number): Promise<void>;
}

/** As many as share one flush, and never so many that others wait behind a whole fleet. */
const AT_ONCE = 32;

export function createArrivals({ transact: write }: Pick<Cradle, "transact">): Arrivals {
  const gate = createGate(AT_ONCE);
  const transact: Cradle["transact"] = (work, options) => gate(() => write(work, options));
  return {
    arrived: (arrival, grouping) =>
      transact(async ({ tx, audit, emit }) => {
        const { id, ip } = arrival;
        const servers = tx.collection(serverCollection);
        const stored = await servers.get(id);
        const server = connectServer(stored, arrival, grouping);
        if (stored) await servers.update(id, () => server);
        else await servers.insert(server);
        const subject = subjectOf(server);
        for (const description of changesOf(stored, arrival)) audit("warning", { ...subject, description });
        const description = `Server connected to the network: ${server.hostname} (${ip})`;
        audit("server_add", { ...subject, description });
        emit("server.added", { id });
        return server;
      }, originOf(arrival.ip)),
    departed: (server, now) =>
      transact(async ({ tx, audit, emit }) => {
        const { id, hostname, ip, info } = server;
        try {
          await tx.collection(serverCollection).update(id, (stored) => ({ ...stored, info, modified: now }));
        } catch (error) {
          // Deleted while it was connected: only the log tells of it.
          if (!(error instanceof NotFoundError)) throw error;
        }
        const description = `Server disconnected from the network: ${hostname} (${ip})`;
        audit("server_remove", { ...subjectOf(server), description });
        emit("server.removed", { id });
      }, originOf(server.ip)),
  };
}

/** Rows of the activity log carry the address of the agent. */
export const originOf = (ip: string): TransactOptions => ({ client: { ...localClient, ip, ips: [ip] } });

function subjectOf(server: Server): Record<string, unknown> {
  const { id, hostname, groups } = server;
  return { server_id: id, hostname, nice_server: niceServer(server), groups, keywords: [id] };
}
