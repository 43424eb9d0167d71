import type { Cradle } from "../../../../kernel/container.ts";
import type { Server } from "../../model.ts";
import { isNearAddress } from "../../rules/joining/addresses.ts";
import type { Connection } from "../connections/connection.ts";
import { originOf } from "./arrivals.ts";

const SERVERS = 100_000;

/**
 * Warns once per server and start that its token crosses the public network unencrypted
 * (docs/contract/satellites.md#bounds).
 */
export function createPlainWarning({ log, transact }: Pick<Cradle, "log" | "transact">) {
  const warned = new Set<string>();
  return async ({ id, hostname }: Server, { link }: Connection): Promise<void> => {
    if (!link.plain || isNearAddress(link.ip) || warned.has(id)) return;
    if (warned.size >= SERVERS) warned.clear();
    warned.add(id);
    const description = `Server connects over the public network without encryption: ${hostname} (${link.ip})`;
    try {
      await transact(
        async ({ audit }) => audit("warning", { description, server_id: id, hostname, keywords: [id] }),
        originOf(link.ip),
      );
    } catch (error) {
      log.error({ server: id, error }, "A warning was not recorded");
    }
  };
}
