import { roleRecords } from "../../../../directory/roles/records.ts";
import { activeUsers } from "../../../../directory/users/active-users.ts";
import type { User } from "../../../../directory/users/model.ts";
import { userRecords } from "../../../../directory/users/records.ts";
import { administratorsAmong } from "../../../../directory/users/rules/account.ts";
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
 * Sends a notice to its receiver, by the same code as actions. A fault on the way, such as a key that cannot be decrypted, counts
 * as a failed attempt; if it were thrown, it would block all notices behind it and notify no fallback.
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
      // The mail action skips mails without a sender's address, so nobody would be notified.
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

/** Fires a web hook with the body of the receiver's format, else with its own body, or with the plain data if it has none. */
function tellHook(errand: Errand, deps: Deps): Promise<ActionOutcome> {
  const { receiver, message } = errand;
  const { format, settings } = receiver;
  const id = receiver.web_hook ?? "";
  if (format) return tellByHook(presetBody(format, { ...message.preset, settings: settings ?? {} }), errand, deps);
  if (deps.definitions.get(webHookRecords, id)?.body?.trim()) return run("web_hook", { web_hook: id }, errand, deps);
  const { secrets: _sealed, config: _hidden, ...data } = message.data;
  return tellByHook(plainTemplate(data), errand, deps);
}

/** Fires a web hook with the given body in place of its own; address, secrets and limits are the web hook's. */
function tellByHook(body: string, errand: Errand, { config, webHooks }: Deps): Promise<ActionOutcome> {
  const { receiver, notice, message, signal } = errand;
  const options = { idempotencyKey: notice.id, signal, patienceSec: config.action_timeout, body };
  return webHooks.fire(receiver.web_hook ?? "", message.data, options);
}

/** Sends a text message through a web hook. Ends are sent only for critical firings, which may have woken a person. */
async function tellPhone(errand: Errand, deps: Deps): Promise<ActionOutcome> {
  const { receiver, notice, message } = errand;
  if (isOfEnds(notice) && notice.severity !== "critical")
    return { code: 0, description: "Ends are told by text message for critical alerts alone" };
  const sms = smsText({ ...message.preset, settings: {} });
  const told = { ...Object(message.data["notice"]), sms, to: receiver.settings?.["to"] ?? "" };
  const sent = { ...errand, message: { ...message, data: { ...message.data, notice: told } } };
  return run("web_hook", { web_hook: receiver.web_hook ?? "" }, sent, deps);
}

/** Whether a notice reports only ends: an all-clear, or a digest of ends. */
const isOfEnds = ({ kind, new: fresh, repeated, still }: Notice): boolean =>
  kind === "cleared" || (kind === "digest" && [...fresh, ...repeated, ...still].length === 0);

/**
 * Users behind a receiver. Unknown and inactive users are skipped, and so are values that are not texts, which an import can
 * leave.
 */
function usersOf(
  receiver: Receiver,
  { definitions, duty }: Pick<Deps, "definitions" | "duty">,
  former: readonly string[] = [],
): User[] {
  const users = receiver.type === "rota" ? [duty.of(receiver) ?? "", ...former] : textsOf(receiver.users);
  const roles = definitions.all(roleRecords);
  const all = users.includes(ALL_ADMINISTRATORS) ? definitions.all(userRecords) : [];
  const found = [...administratorsAmong(all, roles), ...activeUsers({ definitions }, users)];
  return [...new Map(found.map((user) => [user.username, user])).values()];
}

/** The user who gets all notices of a receiver; undefined = several people read them, or unknown ones. */
export function soleUser(receiver: Receiver, deps: Pick<Deps, "definitions" | "duty">): User | undefined {
  if (receiver.type !== "user" && receiver.type !== "rota") return mailedUser(receiver, deps);
  const [first, ...others] = usersOf(receiver, deps);
  return others.length === 0 ? first : undefined;
}

/** The user behind a mail receiver with a single address that belongs to exactly one user. */
function mailedUser({ type, email, users }: Receiver, { definitions }: Pick<Deps, "definitions">) {
  if (type !== "mail") return undefined;
  const own = activeUsers({ definitions }, textsOf(users)).map((user) => user.email);
  const { addresses, malformed } = readAddresses(...own, email ?? "");
  const [address, ...others] = addresses.map((each) => /<([^<>]*)>$/.exec(each)?.[1] ?? each);
  if (!address || others.length > 0 || malformed.length > 0) return undefined;
  const known = definitions.all(userRecords).filter((user) => user.email.toLowerCase() === address.toLowerCase());
  return known.length === 1 ? known[0] : undefined;
}

/** Shows a notification to people with an open page, only once even if the mail is retried, and mails those with an address. */
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

/** Whether nobody behind a receiver of people can be reached now: all are inactive, or have neither mail nor an open page. */
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

/**
 * Users with a usable address. Until mail is set up, the placeholder address of `@admins` does not count, since every fresh store
 * notifies them.
 */
function mailedOf(users: readonly User[], { users: named }: Receiver, { email_from }: Deps["config"]): User[] {
  const isNamed = ({ username }: User): boolean => !named?.includes(ALL_ADMINISTRATORS) || named.includes(username);
  const isSetUp = ({ email }: User): boolean => email_from !== UNSET_ADDRESS && email !== UNSET_ADDRESS;
  return users.filter((user) => user.email !== "" && (isNamed(user) || isSetUp(user)));
}

/** Id of the first notice about the problem that arrived or may have arrived: mail programs group the others below it. */
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
