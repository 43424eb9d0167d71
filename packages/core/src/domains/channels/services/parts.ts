import type { ActionOutcome, ActionRun } from "../../../kernel/action-type.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { User } from "../../users/model.ts";
import type { Channel } from "../model.ts";
import { addressesIn } from "../rules/message.ts";

/** One way of telling, and what came of it; undefined = the channel does not use it. */
export interface Part {
  readonly title: string;
  readonly outcome: Promise<ActionOutcome> | undefined;
}

export interface Telling {
  readonly channel: Channel;
  readonly run: ActionRun;
  /** Those of the channel's users who exist. */
  readonly users: readonly User[];
  /** Without links and product name. */
  readonly message: string;
}

/** The parts, all on their way, in the order in which their failures count (part 14 §3.2). */
export function startParts(telling: Telling, cradle: Cradle): readonly Part[] {
  const { web_hook, run_event } = telling.channel;
  const recipients = [
    ...telling.users.filter(({ email }) => email !== "").map(({ email }) => email),
    ...addressesIn(telling.channel.email ?? ""),
  ];
  return [
    {
      title: "Email",
      outcome: recipients.length > 0 ? safely("email", sendMail(recipients, telling, cradle)) : undefined,
    },
    { title: "Web Hook", outcome: web_hook ? runAction("web_hook", { web_hook }, telling, cradle) : undefined },
    {
      title: "Event",
      outcome: run_event ? runAction("run_event", { event_id: run_event }, telling, cradle) : undefined,
    },
  ];
}

async function safely(code: string, work: Promise<ActionOutcome>): Promise<ActionOutcome> {
  try {
    return await work;
  } catch (error) {
    return { code, description: error instanceof Error ? error.message : String(error) };
  }
}

/** Plain text to all at once: a channel is a list of people who know each other. */
async function sendMail(to: readonly string[], telling: Telling, { config, mailer }: Cradle): Promise<ActionOutcome> {
  const from = config.email_from;
  if (!mailer) return { code: 0, description: "No mail was sent: the host gave no mailer." };
  if (from === "") return { code: 0, description: "No mail was sent: no sender address." };
  const { run, message } = telling;
  const text = typeof run.data["text"] === "string" ? run.data["text"] : message;
  const subject = `${config.client.name}: ${message}`.slice(0, 200);
  // The key makes repeats of one telling the same mail.
  const messageId = `<${run.idempotencyKey.replace(/[^\w.-]+/g, ".")}.channel@signalbox>`;
  await mailer.send({ from, to: [...new Set(to)], subject, text: `${text}\n`, messageId }, run.signal);
  return { code: 0, description: `Mail was sent to: ${[...new Set(to)].join(", ")}` };
}

/** Wire codes of the parts' failures, by the type of their action. */
const CODES = { web_hook: "webhook", run_event: "event" } as const;

/** As if the action stood beside the channel's own, with a key of its own. */
async function runAction(
  name: keyof typeof CODES,
  members: Readonly<Record<string, unknown>>,
  { run }: Telling,
  cradle: Cradle,
): Promise<ActionOutcome> {
  const type = cradle.registry.actionTypes.get(name);
  if (!type) return { code: CODES[name], description: `Unknown action type: ${name}` };
  const action = { enabled: true, condition: run.action["condition"], type: name, ...members };
  const idempotencyKey = `${run.idempotencyKey}/${name}`;
  return safely(CODES[name], type.run({ ...run, action, idempotencyKey }, cradle));
}
