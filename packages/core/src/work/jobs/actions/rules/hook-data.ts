import { formatBytes } from "../../../../expressions/text-formats.ts";
import { readableDuration } from "../../../../lib/time/readable.ts";
import { downloadToken } from "../../access/rules/tokens.ts";

type Members = Readonly<Record<string, unknown>>;

/** Sources of a job's template data. */
export interface HookSources {
  /** Members of job and details combined. */
  readonly job: Members & { readonly id: string; readonly server?: string | undefined; readonly files?: unknown };
  readonly event: Members | undefined;
  readonly category: Members | undefined;
  readonly plugin: Members | undefined;
  /** The job's server, even if it has left. */
  readonly server: (Members & { readonly hostname: string; readonly title?: string | null | undefined }) | undefined;
  /** Machine of the node, on which jobs without a server run. */
  readonly host: string;
  /** Unix seconds. */
  readonly now: number;
  readonly baseUrl: string;
  /** Address of the operation that returns a job's log. */
  readonly logUrl: string;
  readonly secretKey: string;
  readonly stripHostname: (hostname: string) => string;
  /** Environment of the process; absent = hidden from templates. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Template data of a job for mails, web hooks and texts (docs/contract/actions.md#template-data); `action` and `text`
 * are added per action.
 */
export function jobHookData(sources: HookSources): Record<string, unknown> {
  const { job, event, category, plugin, server, baseUrl, logUrl } = sources;
  const hostname = server ? sources.stripHostname(server.hostname) : (job.server ?? sources.host);
  const token = downloadToken(job.id, sources.secretKey);
  return {
    job,
    event: event ?? null,
    category: category ?? null,
    plugin: plugin ?? null,
    ...(server ? { server } : {}),
    nice_hostname: hostname,
    nice_server: server?.title ? `${server.title} (${hostname})` : hostname,
    links: {
      job_details: `${baseUrl}/#Job?id=${job.id}`,
      job_log: `${logUrl}?id=${job.id}&t=${token}`,
      job_files: fileLinks(job.files, baseUrl),
    },
    display: displayOf(job, sources.now),
    ...(sources.env ? { env: withoutOwn(sources.env) } : {}),
  };
}

/** Hides the settings of this product, which include keys, from templates. */
function withoutOwn(env: Readonly<Record<string, string | undefined>>): Members {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:signalbox|xyops)(?:_|$)/i.test(name)));
}

function fileLinks(files: unknown, baseUrl: string): string {
  const links = (Array.isArray(files) ? files : []).flatMap((file: unknown) => {
    const { filename, path } = (file ?? {}) as { filename?: unknown; path?: unknown };
    return typeof filename === "string" && typeof path === "string"
      ? [`- [${asLabel(filename)}](${baseUrl}/${path})`]
      : [];
  });
  return links.length > 0 ? links.join("\n") : "(None)";
}

/** Jobs choose the names of their files; one with brackets must not end the link early or begin another. */
const asLabel = (filename: string): string => filename.replace(/[\\[\]]/g, "\\$&");

function displayOf(job: Members, now: number): Record<string, string> {
  const { cpu, log_file_size, mem, perf } = job;
  const elapsed = elapsedOf(job, now);
  return {
    elapsed: elapsed === undefined ? "n/a" : readableDuration(elapsed),
    log_size: formatBytes(log_file_size ?? 0),
    perf: perfText(perf),
    mem: usageText(mem, formatBytes),
    cpu: usageText(cpu, (value) => `${Math.floor(value * 100) / 100}%`),
  };
}

/** Duration of a job in seconds: stored once it has ended, computed while it is active, undefined before. */
function elapsedOf({ elapsed, started, state }: Members, now: number): number | undefined {
  if (typeof elapsed === "number") return elapsed;
  return state === "active" && typeof started === "number" ? Math.max(0, now - started) : undefined;
}

function perfText(perf: unknown): string {
  if (typeof perf === "string" && perf !== "") return perf;
  return typeof perf === "object" && perf !== null ? JSON.stringify(perf) : "n/a";
}

/** Average and peak of a reading; "n/a" without samples. */
function usageText(usage: unknown, format: (value: number) => string): string {
  const { total, count, max } = (usage ?? {}) as { total?: unknown; count?: unknown; max?: unknown };
  if (typeof total !== "number" || typeof count !== "number" || count <= 0) return "n/a";
  const average = format(total / count);
  return typeof max === "number" ? `${average} (Peak: ${format(max)})` : average;
}

/** Key of the text template for an action: the one it names, otherwise by condition, otherwise by the progress of the job. */
export function textTemplateKey(
  action: { readonly template?: unknown; readonly condition?: unknown },
  job: { readonly complete?: unknown; readonly code?: unknown },
  known: Members,
): string {
  if (typeof action.template === "string" && Object.hasOwn(known, action.template)) return action.template;
  const byCondition = `job_${String(action.condition ?? "")}`;
  if (Object.hasOwn(known, byCondition)) return byCondition;
  if (!job.complete) return "job_progress";
  return job.code ? "job_error" : "job_success";
}
