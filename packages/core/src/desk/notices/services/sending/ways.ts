import { roleRecords } from "../../../../directory/roles/records.ts";
import { activeUsers } from "../../../../directory/users/active-users.ts";
import type { User } from "../../../../directory/users/model.ts";
import { userRecords } from "../../../../directory/users/records.ts";
import { isActiveAdministrator } from "../../../../directory/users/rules/account.ts";
import { webHookRecords } from "../../../../directory/web-hooks/records.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { Act, ActionOutcome } from "../../../../kernel/plugins/action-type.ts";
import { messageOf } from "../../../../lib/message-of.ts";
import { UNSET_ADDRESS } from "../../../../lib/network/unset-address.ts";
import { textsOf } from "../../../../lib/text/text-of.ts";
import { readAddresses } from "../../../texts/addresses.ts";
import type { Notice, Receiver } from "../../model.ts";
import { ALL_ADMINISTRATORS } from "../../rules/delivery/administrators.ts";
import { smsText } from "../../rules/providers/bodies.ts";
import { plainTemplate, presetBody } from "../../rules/texts/presets.ts";
import type { DutyRoster } from "../decisions/duty.ts";
import { earlierNotices } from "./earlier.ts";
import { type CallDeps, type Carried, callService, type Errand } from "./service-call.ts";

const failed = (description: string): ActionOutcome => ({ code: "notice", description });

type Deps = Pick<Cradle, "config" | "definitions" | "events" | "mailer" | "webHooks"> & {
  readonly service: CallDeps;
  readonly act: Act;
  readonly duty: DutyRoster;
};

/**
 * Carries a notice to its receiver, by the ways that actions go. A fault on the way, such as a key that does not open, is a failed
 * attempt: thrown, it would hold up all notices behind it and call no fallback.
 */
export async function carry(errand: Errand, deps: Deps): Promise<Carried> {
  try {
    return await carried(errand, deps);
  } catch (error) {
    return failed(`Error: ${messageOf(error)}`);
  }
}

async function carried(errand: Errand, deps: Deps): Promise<Carried> {
  const { receiver, notice } = errand;
  if (notice.action) return run(notice.action.type, notice.action, errand, deps);
  switch (receiver.type) {
    case "user":
    case "rota":
      return tellUsers(errand, deps);
    case "mail":
      // Without a sender's address a mail is left out, and nobody would be told.
      if (deps.config.email_from === "") return failed("Mail is not set up: there is no sender's address");
      return run("email", { email: receiver.email ?? "", users: [] }, errand, deps);
    case "channel":
      return run("channel", { channel_id: receiver.channel ?? "" }, errand, deps);
    case "web_hook":
      return tellHook(errand, deps);
    case "sms":
      return tellPhone(errand, deps);
    default:
      return callService(receiver.type, errand, deps.service);
  }
}

/** Fires a hook with the words of its format, with its own body, or with the data where it has none. */
function tellHook(errand: Errand, deps: Deps): Promise<ActionOutcome> {
  const { receiver, message } = errand;
  const { format, settings } = receiver;
  const id = receiver.web_hook ?? "";
  if (format) return tellByHook(presetBody(format, { ...message.preset, settings: settings ?? {} }), errand, deps);
  if (deps.definitions.get(webHookRecords, id)?.body?.trim()) return run("web_hook", { web_hook: id }, errand, deps);
  const { secrets: _sealed, config: _hidden, ...data } = message.data;
  return tellByHook(plainTemplate(data), errand, deps);
}

/** Fires a hook, which has the address, the secrets and the limits, with another body than its own. */
function tellByHook(body: string, errand: Errand, { config, webHooks }: Deps): Promise<ActionOutcome> {
  const { receiver, notice, message, signal } = errand;
  const options = { idempotencyKey: notice.id, signal, patienceSec: config.action_timeout, body };
  return webHooks.fire(receiver.web_hook ?? "", message.data, options);
}

/** Sends a text message by a hook. Ends are worth one only where the firing may have woken a person. */
async function tellPhone(errand: Errand, deps: Deps): Promise<ActionOutcome> {
  const { receiver, notice, message } = errand;
  if (isOfEnds(notice) && notice.severity !== "critical")
    return { code: 0, description: "Ends are told by text message for critical alerts alone" };
  const sms = smsText({ ...message.preset, settings: {} });
  const told = { ...Object(message.data["notice"]), sms, to: receiver.settings?.["to"] ?? "" };
  const sent = { ...errand, message: { ...message, data: { ...message.data, notice: told } } };
  return run("web_hook", { web_hook: receiver.web_hook ?? "" }, sent, deps);
}

/** Whether a notice tells of ends alone: an all-clear, or a digest of ends. */
const isOfEnds = ({ kind, new: fresh, repeated, still }: Notice): boolean =>
  kind === "cleared" || (kind === "digest" && [...fresh, ...repeated, ...still].length === 0);

/** Unknown and inactive users are skipped, and so are other values, which an import may leave. */
function usersOf(
  receiver: Receiver,
  { definitions, duty }: Pick<Deps, "definitions" | "duty">,
  former: readonly string[] = [],
): User[] {
  const users = receiver.type === "rota" ? [duty.of(receiver) ?? "", ...former] : textsOf(receiver.users);
  const roles = definitions.all(roleRecords);
  const all = users.includes(ALL_ADMINISTRATORS) ? definitions.all(userRecords) : [];
  const found = [...all.filter((user) => isActiveAdministrator(user, roles)), ...activeUsers({ definitions }, users)];
  return [...new Map(found.map((user) => [user.username, user])).values()];
}

/** The user whom all notices of a receiver go to; undefined = several people read them, or unknown ones. */
export function soleUser(receiver: Receiver, deps: Pick<Deps, "definitions" | "duty">): User | undefined {
  if (receiver.type !== "user" && receiver.type !== "rota") return mailedUser(receiver, deps);
  const [first, ...others] = usersOf(receiver, deps);
  return others.length === 0 ? first : undefined;
}

/** A mail to one address that one user has. */
function mailedUser({ type, email, users }: Receiver, { definitions }: Pick<Deps, "definitions">) {
  if (type !== "mail") return undefined;
  const own = activeUsers({ definitions }, textsOf(users)).map((user) => user.email);
  const { addresses, malformed } = readAddresses(...own, email ?? "");
  const [address, ...others] = addresses.map((each) => /<([^<>]*)>$/.exec(each)?.[1] ?? each);
  if (!address || others.length > 0 || malformed.length > 0) return undefined;
  const known = definitions.all(userRecords).filter((user) => user.email.toLowerCase() === address.toLowerCase());
  return known.length === 1 ? known[0] : undefined;
}

/**
 * A notification for people with a page open, shown once even if the mail is tried again, and a mail for the others.
 */
async function tellUsers(errand: Errand, deps: Deps): Promise<ActionOutcome> {
  const { receiver, notice, message } = errand;
  const users = usersOf(receiver, deps, notice.former);
  if (users.length === 0) return failed("Nobody of the receiver's users is active: not found");
  const names = users.map(({ username }) => username);
  const isShown = (notice.deliveries ?? []).length > 0;
  const { text, loc } = message;
  if (!isShown)
    deps.events.emit("channel.notified", { id: "notice", users: names, message: text, sound: soundOf(notice), loc });
  const mailed = deps.mailer ? mailedOf(users, receiver, deps.config) : [];
  if (mailed.length === 0) return { code: 0, description: `Shown to: ${names.join(", ")}` };
  return run("email", { users: mailed.map(({ username }) => username) }, errand, deps);
}

/** Sounds of notices on open pages, by severity. */
const SOUNDS: Readonly<Record<string, string>> = { critical: "attention-3.mp3" };
const soundOf = (notice: Notice): string | null => (isOfEnds(notice) ? null : (SOUNDS[notice.severity] ?? null));

/** Whether a receiver of people reaches none of them now: they are inactive, or have neither mail nor a page open. */
export function reachesNobody(
  receiver: Receiver,
  deps: Pick<Deps, "config" | "definitions" | "duty" | "mailer"> & Pick<Cradle, "live">,
): boolean {
  if (receiver.type !== "user" && receiver.type !== "rota") return false;
  const users = usersOf(receiver, deps);
  const isMailed = deps.mailer !== undefined && deps.config.email_from !== "";
  if (isMailed && mailedOf(users, receiver, deps.config).length > 0) return false;
  return !users.some(({ username }) => deps.live.isConnected(username));
}

/** Users with an address. Until mail is set up, the administrators as such have none: every fresh store tells them. */
function mailedOf(users: readonly User[], { users: named }: Receiver, { email_from }: Deps["config"]): User[] {
  const isNamed = ({ username }: User): boolean => !named?.includes(ALL_ADMINISTRATORS) || named.includes(username);
  const isSetUp = ({ email }: User): boolean => email_from !== UNSET_ADDRESS && email !== UNSET_ADDRESS;
  return users.filter((user) => user.email !== "" && (isNamed(user) || isSetUp(user)));
}

/** Id of the first notice about the problem that arrived, or may have: mail programs show the others below it. */
const firstMail = async (notice: Notice, service: CallDeps): Promise<string | undefined> =>
  (await earlierNotices(notice, service)).find(({ outcome }) => outcome === "sent" || outcome === "uncertain")?.id;

async function run(
  type: string,
  members: Readonly<Record<string, unknown>>,
  { notice, message, signal }: Errand,
  { act, config, service }: Deps,
): Promise<ActionOutcome> {
  const condition = notice.kind === "cleared" ? "alert_cleared" : "alert_new";
  const body = message.body === undefined ? {} : { body: message.body };
  const action = { enabled: true, ...body, ...members, condition, type };
  const follows = type === "email" ? await firstMail(notice, service) : undefined;
  const shared = { side: "alert", data: message.data, idempotencyKey: notice.id, follows, signal } as const;
  try {
    const acting = act(type, { action, ...shared, timeoutSec: config.action_timeout });
    return (await acting) ?? failed(`Unknown action type: ${type}`);
  } catch (error) {
    return failed(messageOf(error));
  }
}
