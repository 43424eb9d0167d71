import type { Cradle } from "../../../kernel/container.ts";
import type { Act, ActionOutcome, ActionRun } from "../../../kernel/plugins/action-type.ts";
import { messageOf } from "../../../lib/message-of.ts";
import type { User } from "../../users/model.ts";
import type { Channel } from "../model.ts";

/** One way of notifying, with its outcome; undefined = the channel does not use it. */
export interface Part {
  readonly title: string;
  readonly outcome: Promise<ActionOutcome> | undefined;
}

export interface Telling {
  readonly channel: Channel;
  readonly run: ActionRun;
  /** The channel's users who exist and are active. */
  readonly users: readonly User[];
}

interface Means extends Pick<Cradle, "mailer"> {
  readonly act: Act;
}

/** Starts all parts and returns them in the order in which their failures count (docs/contract/channels.md#notification). */
export function startParts(telling: Telling, means: Means): readonly Part[] {
  const { web_hook, run_event } = telling.channel;
  const email = telling.channel.email ?? "";
  const hasRecipients = email !== "" || telling.users.some((user) => user.email !== "");
  return [
    { title: "Email", outcome: hasRecipients ? sendMail(email, telling, means) : undefined },
    { title: "Web Hook", outcome: web_hook ? runAction("web_hook", { web_hook }, telling, means) : undefined },
    {
      title: "Event",
      outcome: run_event ? runAction("run_event", { event_id: run_event }, telling, means) : undefined,
    },
  ];
}

async function safely(code: string, work: Promise<ActionOutcome>): Promise<ActionOutcome> {
  try {
    return await work;
  } catch (error) {
    return { code, description: messageOf(error) };
  }
}

/** Without a mailer this is no failure, because a channel also notifies in other ways. */
async function sendMail(email: string, telling: Telling, means: Means): Promise<ActionOutcome> {
  if (!means.mailer) return { code: 0, description: "No mail was sent: the host gave no mailer." };
  const users = telling.users.map(({ username }) => username);
  return runAction("email", { users, email }, telling, means);
}

/** Wire codes of the parts' failures, by the type of their action. */
const CODES = { email: "email", web_hook: "webhook", run_event: "event" } as const;

/** Runs an action as if it stood beside the channel's action, with a separate idempotency key. */
async function runAction(
  name: keyof typeof CODES,
  members: Readonly<Record<string, unknown>>,
  { run }: Telling,
  { act }: Means,
): Promise<ActionOutcome> {
  const action = { enabled: true, condition: run.action["condition"], type: name, ...members };
  const idempotencyKey = `${run.idempotencyKey}/${name}`;
  const outcome = act(name, { ...run, action, idempotencyKey });
  if (outcome === undefined) return { code: CODES[name], description: `Unknown action type: ${name}` };
  return safely(CODES[name], outcome);
}
