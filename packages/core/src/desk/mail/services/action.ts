import { activeUsers } from "../../../directory/users/active-users.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { ActionOutcome, ActionRun, ActionType } from "../../../kernel/plugins/action-type.ts";
import { messageOf } from "../../../lib/message-of.ts";
import { onlyText, textsOf } from "../../../lib/text/text-of.ts";
import { createDates } from "../../../lib/time/dates.ts";
import { readAddresses } from "../../texts/addresses.ts";
import { userContent } from "../../texts/user-content.ts";
import { subjectText } from "../rules/texts/alert-texts.ts";
import { jobTemplate, MAIL_TEMPLATES } from "../rules/texts.ts";
import { type Letter, messageIdOf } from "./compose.ts";
import { deliveryText, mailDetails } from "./details.ts";
import { createLogExcerpt } from "./log-excerpt.ts";

/**
 * Sends a mail to users and to addresses (docs/contract/actions.md#mail,
 * docs/contract/mail.md#mail-of-jobs-and-alerts).
 */
export const emailAction: ActionType = {
  applies: ["job", "alert"],
  target: ({ email, users }) => `${onlyText(email)}${textsOf(users).join(",")}`,
  run: sendActionMail,
};

/** Seconds reserved for the last attempt before the timeout of the action. */
const MARGIN_SEC = 120;

type Deps = Pick<Cradle, "clock" | "config" | "definitions" | "jobs" | "mails" | "outbox" | "snapshot" | "transact">;

async function sendActionMail(run: ActionRun, deps: Deps): Promise<ActionOutcome> {
  const { addresses, malformed } = recipientsOf(run, deps);
  const list = addresses.join(", ");
  if (addresses.length === 0 && malformed.length > 0) return failed(malformed.join(", "), "not a mail address");
  if (addresses.length === 0) return { code: 0, description: "No recipients for email (skipping)" };
  await noteInJob(run, deps, `Sending email notification to: ${list}`);
  try {
    const letter = await letterOf(run, deps, addresses);
    const patienceSec = run.timeoutSec - MARGIN_SEC;
    const sent = await deps.mails.send(letter, { signal: run.signal, patienceSec });
    const { mail, attempts, refused, later } = sent;
    // The outbox retries recipients that were refused for now. Waiting here would let one full mailbox block every job for days.
    if (later.length > 0) await deps.transact(({ tx }) => deps.outbox.postRest(tx, mail, later));
    const counted = sent.isSkipped ? {} : { attempts };
    const details = mailDetails(mail, { malformed, refused, later, ...counted });
    return { code: 0, description: deliveryText(addresses, sent), details };
  } catch (error) {
    return failed(list, messageOf(error));
  }
}

const failed = (list: string, reason: string): ActionOutcome => ({
  code: "email",
  description: `Failed to send e-mail: ${list}: ${reason}`,
});

/** Recipients of an action; unknown users, inactive users, and users without an address are skipped. */
function recipientsOf({ action }: ActionRun, { definitions }: Deps) {
  const users = activeUsers({ definitions }, textsOf(action["users"]));
  const own = users.map(({ email }) => email).filter((email) => email !== "");
  return readAddresses(...own, onlyText(action["email"]));
}

/** Adds a milestone to the job. */
async function noteInJob(run: ActionRun, { jobs: { desk } }: Deps, text: string): Promise<void> {
  const { id } = jobOf(run);
  if (run.side !== "job" || typeof id !== "string") return;
  await desk.change(id, (_unit, record) => desk.meta(record, [text]));
}

const jobOf = ({ data }: ActionRun): Readonly<Record<string, unknown>> => Object(data["job"]);

async function letterOf(run: ActionRun, deps: Deps, to: readonly string[]): Promise<Letter> {
  const { action, data, follows, idempotencyKey: key } = run;
  const body = onlyText(action["body"]);
  const thread = follows === undefined ? {} : { headers: threadOf(messageIdOf(follows, deps.config.base_app_url)) };
  const template = templateOf(run, deps);
  const subject: unknown = Object(Object(data["alert"])["subject"])["type"];
  const shared = { template, standard: subjectText(template, subject), body, to, key, ...thread };
  if (run.side === "alert") return { ...shared, data: { ...data, body }, closing: ackLine(data) };
  const job = jobOf(run);
  const excerpt = await createLogExcerpt(deps)(job);
  const extra = {
    links: linksOf(data, deps),
    display: { ...Object(data["display"]), date_time: dateText(deps, job) },
    log_excerpt: excerpt,
    body,
  };
  return { ...shared, data: { ...data, ...extra }, blocks: { user_content: userContent(job) } };
}

const threadOf = (first: string): Readonly<Record<string, string>> => ({ "In-Reply-To": first, References: first });

/** The link in notices that acknowledges without a login. */
const ackLine = (data: ActionRun["data"]): string | undefined =>
  Object(data["notice"])["ack_url"] === undefined ? undefined : "[Acknowledge]({{ notice.ack_url }})";

/** The address of the log grants access to it, so hosts can keep it out of mails. */
function linksOf({ links }: ActionRun["data"], { config }: Deps): Readonly<Record<string, unknown>> {
  const all: Readonly<Record<string, unknown>> = Object(links);
  return config.email_log_links ? all : { ...all, job_log: all["job_details"] };
}

/** The action's template if it exists, otherwise the one for the condition. */
function templateOf(run: ActionRun, { config }: Deps): string {
  const { template, condition } = run.action;
  const isKnown = (name: string): boolean =>
    Object.hasOwn(config.mail_templates, name) || Object.hasOwn(MAIL_TEMPLATES, name);
  if (typeof template === "string" && isKnown(template)) return template;
  if (run.side === "job") return jobTemplate(condition, jobOf(run));
  if (run.data["template"] === "alert_stale") return "alert_stale";
  return run.data["template"] === "alert_cleared" || condition === "alert_cleared" ? "alert_cleared" : "alert_new";
}

function dateText({ clock, config }: Deps, { completed }: Readonly<Record<string, unknown>>): string {
  return createDates(config)(typeof completed === "number" ? completed : clock.now());
}
