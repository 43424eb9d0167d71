import { env } from "node:process";
import { categoryRecords } from "../../../directory/categories/records.ts";
import { pluginRecords } from "../../../directory/plugins/records.ts";
import type { Server } from "../../../fleet/servers/model.ts";
import { apiAddress } from "../../../kernel/config/api-address.ts";
import type { KeyedCradle } from "../../../kernel/container.ts";
import type { ActiveJob } from "../model.ts";
import { jobHookData } from "./rules/hook-data.ts";

type Deps = Pick<
  KeyedCradle,
  "clock" | "config" | "definitions" | "eventRecords" | "expressions" | "nodes" | "secretKey" | "servers" | "snapshot"
>;

/** Template data of an active job (docs/contract/actions.md#template-data). */
export async function hookDataOf(
  { clock, config, definitions, eventRecords, expressions, nodes, secretKey, servers, snapshot }: Deps,
  { job, details }: ActiveJob,
): Promise<Record<string, unknown>> {
  return jobHookData({
    job: { ...details, ...job },
    event: eventRecords.get(job.event),
    category: definitions.get(categoryRecords, job.category ?? ""),
    plugin: definitions.get(pluginRecords, job.plugin ?? ""),
    server: job.server === undefined ? undefined : await serverOf({ servers, snapshot }, job.server),
    now: clock.now(),
    host: nodes.host,
    baseUrl: config.base_app_url,
    logUrl: apiAddress(config, "download_job_log"),
    secretKey,
    ...(config.hook_env_enabled ? { env } : {}),
    stripHostname: (hostname) =>
      withoutMatch(hostname, expressions.regexes.compile(config.hostname_display_strip).exec(hostname)),
  });
}

/** The record of a server, even if it has left: that may be the very thing that people are notified about. */
const serverOf = async (
  { servers, snapshot }: Pick<Deps, "servers" | "snapshot">,
  id: string,
): Promise<Server | undefined> => servers.anywhere(id) ?? (await snapshot((tx) => servers.find(tx, id)));

const withoutMatch = (text: string, match: RegExpExecArray | null): string =>
  match ? text.slice(0, match.index) + text.slice(match.index + match[0].length) : text;
