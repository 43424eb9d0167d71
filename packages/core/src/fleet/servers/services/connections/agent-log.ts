import * as z from "zod";
import type { Cradle } from "../../../../kernel/container.ts";
import { looseObject } from "../../../../wire/schemas/objects.ts";
import type { Server } from "../../model.ts";
import { originOf } from "../joining/arrivals.ts";

/** Messages of agents that are written to the activity log. */
export const LOG_COMMANDS: ReadonlySet<string> = new Set(["notice", "warning", "error", "critical"]);

const PER_HOUR = 60;
const SERVERS = 100_000;
const MAX_DESCRIPTION = 1000;
const MAX_DETAILS = 65_536;

const LogMessage = looseObject(() => ({
  description: z.string().transform((text) => text.slice(0, MAX_DESCRIPTION)),
  details: z
    .unknown()
    .optional()
    .transform((details) => (typeof details === "string" ? details : (JSON.stringify(details ?? undefined) ?? "")))
    .transform((text) => text.slice(0, MAX_DETAILS)),
}));

export interface AgentLog {
  /** Counts one row; false once a server has had 60 in the current hour. */
  mayWrite(server: string): boolean;
  write(server: Server, level: string, data: unknown): Promise<void>;
}

export function createAgentLog({ clock, transact }: Pick<Cradle, "clock" | "transact">): AgentLog {
  const written = new Map<string, { hour: number; count: number }>();
  return {
    mayWrite(server) {
      const hour = Math.floor(clock.now() / 3600);
      const known = written.get(server);
      const count = known?.hour === hour ? known.count : 0;
      if (written.size >= SERVERS) written.clear();
      written.set(server, { hour, count: count + 1 });
      return count < PER_HOUR;
    },
    async write({ id, hostname, ip }, level, data) {
      const message = LogMessage.safeParse(data);
      if (!message.success) return;
      const { description, details } = message.data;
      const subject = { description, ...(details === "" ? {} : { details }), server: id, hostname };
      await transact(async ({ audit }) => audit(level, { ...subject, keywords: [id] }), originOf(ip));
    },
  };
}
