import type { Invocation } from "../../../../fleet/alerts/model.ts";
import { serverRecords } from "../../../../fleet/servers/records.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";

/** Names of the subjects of invocations. */
export async function placeNames(
  tx: ReadTx,
  alerts: Pick<Cradle["alerts"], "serverName">,
  invocations: readonly Pick<Invocation, "server">[],
): Promise<(invocation: Pick<Invocation, "server" | "subject">) => string> {
  const servers = await tx.collection(serverRecords).getMany([...new Set(invocations.map(({ server }) => server))]);
  const names = new Map(servers.flatMap((server) => (server ? [[server.id, alerts.serverName(server)]] : [])));
  return ({ server, subject }) => subject?.title ?? names.get(server) ?? server;
}
