import type { Cradle } from "../../../kernel/container.ts";
import type { ActionOutcome, ActionRun, ActionType } from "../../../kernel/plugins/action-type.ts";
import { wordIn } from "../../../lib/json/word-in.ts";
import type { User } from "../../users/model.ts";
import { userRecords } from "../../users/records.ts";
import { userKey } from "../../users/rules/account.ts";
import { channelCollection } from "../collection.ts";
import type { Channel } from "../model.ts";
import { locationOf, notificationText } from "../rules/message.ts";
import { type Part, startParts } from "./parts.ts";

/** Notifies people by mail, web hook, event and notification at once (docs/contract/channels.md#notification). */
export const channelAction: ActionType = {
  applies: ["job", "alert"],
  target: (action) => wordIn(action, "channel_id"),
  async run(run, cradle) {
    const id = wordIn(run.action, "channel_id");
    const channel = cradle.definitions.get(channelCollection, id);
    const refusal = channel ? await refusalOf(channel, cradle) : `Notification Channel not found: ${id}`;
    if (!channel || refusal !== undefined) return { code: "channel", description: String(refusal) };
    cradle.jobs.stats.count(["invocations"], [`channels/${id}`]);
    const text = typeof run.data["text"] === "string" ? run.data["text"] : "";
    const message = notificationText(text, cradle.config.client.name);
    const users = usersOf(channel, cradle);
    const parts = startParts({ channel, run, users }, { mailer: cradle.mailer, act: cradle.handlers.act });
    notify(channel, { run, users, message }, cradle);
    return summary(id, parts);
  },
};

type Deps = Pick<Cradle, "channels" | "definitions" | "events">;

/** Counts a use of the channel; returns text that says why it was refused. */
async function refusalOf({ id, enabled, max_per_day }: Channel, { channels }: Deps) {
  if (!enabled) return `Notification Channel is disabled: ${id}`;
  const limit = max_per_day ?? 0;
  if (await channels.countUse(id, limit)) return undefined;
  return `Notification Channel has reached maximum daily limit: ${id} (${limit}/day)`;
}

/** Skips unknown and inactive users. */
function usersOf({ users }: Channel, { definitions }: Deps): User[] {
  const keys = new Set(users?.map(userKey));
  const known = [...keys].flatMap((key) => definitions.get(userRecords, key) ?? []);
  return known.filter(({ active }) => active);
}

function notify(
  { id, sound }: Channel,
  { run, users, message }: { run: ActionRun; users: readonly User[]; message: string },
  { events }: Deps,
): void {
  const names = users.map(({ username }) => username);
  const loc = locationOf(run.side, run.data);
  if (names.length > 0) events.emit("channel.notified", { id, users: names, message, sound: sound || null, loc });
}

/** The first failure determines the result; details contain one section per part. */
async function summary(id: string, parts: readonly Part[]): Promise<ActionOutcome> {
  const results: { readonly title: string; readonly outcome: ActionOutcome }[] = [];
  for (const { title, outcome } of parts) if (outcome) results.push({ title, outcome: await outcome });
  const failed = results.find(({ outcome }) => outcome.code !== 0)?.outcome;
  const details = results.map(
    ({ title, outcome }) => `### ${title}\n\n${[outcome.description, outcome.details ?? ""].join("\n\n").trim()}`,
  );
  return {
    code: failed?.code ?? 0,
    description: failed?.description ?? `Successfully notified channel: ${id}`,
    details: details.join("\n\n"),
  };
}
