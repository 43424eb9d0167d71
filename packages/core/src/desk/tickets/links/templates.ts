import { requireAccess } from "../../../directory/access/require-access.ts";
import { isSystemTag } from "../../../directory/tags/rules.ts";
import { invocationRecords } from "../../../fleet/alerts/records.ts";
import { reachOf } from "../../../fleet/alerts/rules/definition/subjects.ts";
import type { Actor } from "../../../kernel/calls/context.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { createDates } from "../../../lib/time/dates.ts";
import { tenantOf } from "../../../wire/tenant.ts";
import { readingOf } from "../../../work/jobs/access/rules/restriction.ts";
import type { Job } from "../../../work/jobs/model.ts";
import { jobRecords } from "../../../work/jobs/records.ts";
import { expandMail } from "../../texts/template.ts";
import { userContent } from "../../texts/user-content.ts";
import { createJobOutput } from "./job-output.ts";
import { alertSubject, jobSubject, ticketTemplateOf, ticketText } from "./rules/texts.ts";

type Members = Readonly<Record<string, unknown>>;

/** The job or alert invocation that a ticket was made from. */
export interface TicketOrigin {
  readonly kind: "job" | "alert";
  readonly id: string;
}

/** Members that a job or an alert provides for its ticket (docs/contract/tickets.md#tickets-of-jobs-and-alerts). */
export interface TicketSource {
  readonly origin: TicketOrigin;
  readonly subject: string;
  /** Markdown; not sanitised. */
  readonly body: string;
  /** Defaults for members that the caller left out. */
  readonly defaults: Readonly<{ category?: string; server?: string; tags?: string[]; tenant?: string }>;
}

/** Members of a call of create_ticket. */
export interface TemplateRequest {
  readonly template?: unknown;
  readonly job?: unknown;
  readonly alert?: unknown;
}

/** Texts of tickets that jobs and alerts make. */
export interface TicketTemplates {
  /**
   * The members that the named job or alert provides for a ticket; undefined without a template. Reads jobs and logs in its own
   * transactions, so call it outside any. Throws `DomainError` ("ticket", "Failed to create ticket: …"), and `AccessError` if the
   * caller may not read the job or the alert.
   */
  source(request: TemplateRequest, actor: Actor): Promise<TicketSource | undefined>;
  /** The same from the data of a job's action. */
  ofJob(data: Members): Promise<TicketSource>;
  /** The same from the data of an alert's action. */
  ofAlert(data: Members): TicketSource;
  /** A text by name with its macros filled in: "job_again", "alert_over". */
  expand(name: string, data: Members): string;
}

type Deps = Pick<Cradle, "alerts" | "clock" | "config" | "expressions" | "jobs" | "log" | "references" | "snapshot">;

export function createTicketTemplates(deps: Deps): TicketTemplates {
  const { clock, config, expressions } = deps;
  const outputOf = createJobOutput(deps);
  const dateOf = createDates(config);

  const expand: TicketTemplates["expand"] = (name, data) => {
    const text = config.tickets.templates[name] ?? ticketText(name, data);
    const baseUrl = config.base_app_url;
    const shared = { client: config.client, base_app_url: baseUrl };
    return expandMail(text, { expressions, data: { ...data, config: shared } })
      .body("html")
      .trim();
  };

  const templates: TicketTemplates = {
    expand,
    async source({ template, job, alert }, actor) {
      if (!template) return undefined;
      if (template !== "job" && template !== "alert") throw failed("Unsupported ticket template.");
      const id = template === "job" ? job : alert;
      if (typeof id !== "string" || id === "") throw failed(`Missing ${template} parameter`);
      return template === "job"
        ? templates.ofJob(await jobData(deps, id, actor))
        : templates.ofAlert(await alertData(deps, id, actor));
    },
    async ofJob(data) {
      const job = data["job"] as Job;
      const completed = job.completed ?? clock.now();
      const display = { ...Object(data["display"]), date_time: dateOf(completed) };
      const extra = { display, log_excerpt: await outputOf(job), user_content: userContent(job).text };
      return {
        origin: { kind: "job", id: job.id },
        subject: jobSubject(data),
        body: expand(ticketTemplateOf(job), { ...data, ...extra }),
        defaults: defaultsOf(job),
      };
    },
    ofAlert: (data) => alertSource(data, expand),
  };
  return templates;
}

function defaultsOf(job: Job): TicketSource["defaults"] {
  return {
    ...(job.category ? { category: job.category } : {}),
    ...(job.server ? { server: job.server } : {}),
    // The engine's marks on a finished job mean nothing to people.
    tags: (job.tags ?? []).filter((tag) => !isSystemTag(tag)),
    ...tenantOf(job),
  };
}

function alertSource(data: Members, expand: TicketTemplates["expand"]): TicketSource {
  const { id, server, category, tenant } = Object(data["alert"]) as Members;
  return {
    origin: { kind: "alert", id: String(id) },
    subject: alertSubject(data),
    body: expand("alert", data),
    defaults: {
      ...(typeof server === "string" ? { server } : {}),
      // Alerts on events, heartbeats and checks have a category; alerts on servers have none.
      ...(typeof category === "string" ? { category } : {}),
      ...tenantOf({ tenant }),
    },
  };
}

const failed = (reason: string): DomainError =>
  new DomainError("ticket", "malformed", `Failed to create ticket: ${reason}`);

/** Live data of a running job, with the time that it has taken so far. */
async function jobData({ clock, jobs, snapshot }: Deps, id: string, actor: Actor): Promise<Members> {
  const active = await jobs.desk.read(id);
  const final = active ? undefined : await snapshot((tx) => tx.collection(jobRecords).get(id));
  const job = active ? { ...active.details, ...active.job } : final;
  if (!job) throw failed(`Job not found: ${id}`);
  requireAccess(actor, readingOf(job));
  const elapsed = job.elapsed ?? Math.max(0, clock.now() - job.started);
  const whole = { ...job, elapsed };
  return jobs.hookData({ id, job: whole, details: { activity: [] }, launched: job.started });
}

async function alertData({ alerts, references, snapshot }: Deps, id: string, actor: Actor): Promise<Members> {
  const invocation = await snapshot((tx) => tx.collection(invocationRecords).get(id));
  if (!invocation) throw failed(`Alert invocation not found: ${id}`);
  requireAccess(actor, reachOf(invocation));
  // The text names jobs on the server, which may be out of the caller's reach.
  const [within = invocation] = await snapshot((tx) => references.firings({ actor, tx }, [invocation]));
  const data = await alerts.hookData(within);
  if (!data) throw failed(`Alert not found: ${invocation.alert}`);
  return data;
}
