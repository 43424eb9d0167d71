import * as z from "zod";
import { createExpressions, templateFault } from "../../expressions/index.ts";
import { isObject } from "../../lib/json/is-object.ts";
import { isAddressTemplate } from "../../lib/network/address-template.ts";
import { isReservedWord } from "../../wire/fields/reserved.ts";

/** What to do about an activity or a job; every member that is present is carried out (docs/contract/actions.md#system-hooks). */
export interface SystemHookParts {
  /** Receives the activity as JSON by POST. May contain macros, whose values are URI-encoded. */
  readonly url?: string;
  /** Id of a web hook. */
  readonly web_hook?: string;
  /** Command line for the shell of this machine. */
  readonly shell_exec?: string;
  /** Addresses, separated by commas. */
  readonly email?: string;
  /** Members of the ticket to create. */
  readonly ticket?: Readonly<Record<string, unknown>>;
}

/** An address, the id of a web hook, or several parts at once. */
export type SystemHook = string | SystemHookParts;

const MAX_HOOKS = 500;
const MAX_TEXT = 10_000;
const NO_ADDRESS = "must begin with http:// or https://, and hold macros behind the host only";

type Check = (value: unknown) => string | undefined;

const text =
  (check: (value: string) => boolean, fault: string): Check =>
  (value) =>
    typeof value === "string" && value.length <= MAX_TEXT && check(value) ? undefined : fault;

/** Rejects control characters, which could end a line of the log or a header. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
const isPrintable = (value: string): boolean => !/[\x00-\x1f\x7f]/.test(value);

function isAddress(value: string): boolean {
  const [, host = ""] = /^https?:\/\/([^/?#]+)/i.exec(value) ?? [];
  // Macros in the host would let the data of an event choose the recipient.
  if (host === "" || /[{}\s]/.test(host) || !isPrintable(value)) return false;
  return isAddressTemplate(value);
}

/**
 * Checks the syntax of macros. Functions of the host are only looked up when a macro is expanded, so a bare expression engine
 * suffices.
 */
function macroFault(value: unknown): string | undefined {
  const fault = templateFault(String(value), createExpressions());
  return fault === undefined ? undefined : `not a text with macros: ${fault}`;
}

const isHookId = (value: string): boolean => /^\w+$/.test(value);
const isMailList = (value: string): boolean =>
  value.split(",").every((address) => /^[^\s@<>"',;]+@[^\s@<>"',;]+$/.test(address.trim()));

const isUrl = text(isAddress, NO_ADDRESS);

const PARTS: Readonly<Record<string, Check>> = {
  url: (value) => isUrl(value) ?? macroFault(value),
  web_hook: text(isHookId, "must be the id of a web hook"),
  shell_exec: text((value) => /\S/.test(value) && !value.includes("\0"), "must be a command line"),
  email: text(isMailList, "must be mail addresses, separated by commas"),
  ticket: (value) => (isObject(value) ? undefined : "must be the members of a ticket"),
};

interface Fault {
  readonly path: readonly string[];
  readonly message: string;
}

function faultOf(hook: unknown): Fault | undefined {
  if (typeof hook === "string") {
    if (isHookId(hook)) return undefined;
    const isOther = isUrl(hook) !== undefined;
    const message = isOther ? `must be the id of a web hook or an address, which ${NO_ADDRESS}` : macroFault(hook);
    return message === undefined ? undefined : { path: [], message };
  }
  if (!isObject(hook)) return { path: [], message: "must be a text or an object" };
  const names = Object.keys(hook);
  if (names.length === 0) return { path: [], message: `names none of ${Object.keys(PARTS).join(", ")}` };
  return names.map((name) => partFault(name, hook[name])).find((fault) => fault !== undefined);
}

function partFault(name: string, value: unknown): Fault | undefined {
  const check = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
  const message = check ? check(value) : `is none of ${Object.keys(PARTS).join(", ")}`;
  return message === undefined ? undefined : { path: [name], message };
}

/** Whether a key is an action of the activity log, `job_` followed by a condition, or `*`. */
const isKey = (key: string): boolean =>
  key === "*" || (/^\w+(?:[.:-]\w+)*$/.test(key) && key.length <= 200 && !isReservedWord(key));

const hook = z.custom<SystemHook>().superRefine((value, context) => {
  const fault = faultOf(value);
  if (fault) context.addIssue({ code: "custom", path: [...fault.path], message: fault.message });
});

/** Members of the configuration (docs/contract/configuration.md#keys). */
export const hooksConfig = {
  hooks: z
    .record(z.string(), hook)
    .superRefine((hooks, context) => {
      const keys = Object.keys(hooks);
      const wrong = keys.find((key) => !isKey(key));
      if (wrong !== undefined)
        context.addIssue({ code: "custom", path: [wrong], message: "is not the name of an action" });
      if (keys.length > MAX_HOOKS) context.addIssue({ code: "custom", message: `more than ${MAX_HOOKS} hooks` });
    })
    .default({})
    .describe("Hooks for activities and ends of jobs, by action, `job_` and condition, or `*`: see the guide of jobs."),
  hook_shell_exec: z
    .boolean()
    .default(false)
    .describe("Lets hooks run commands on this machine, where the host gives a way to start processes."),
};

/** Refuses shell commands when they are off: they would have no effect, or were set by a caller who may not set them. */
export function checkShellHooks(
  {
    hooks,
    hook_shell_exec: isOn,
  }: { readonly hooks: Readonly<Record<string, unknown>>; readonly hook_shell_exec: boolean },
  context: z.RefinementCtx,
): void {
  if (isOn) return;
  const found = Object.entries(hooks).find(([, each]) => isObject(each) && each["shell_exec"] !== undefined);
  if (!found) return;
  const message = "commands are off unless the host sets hook_shell_exec";
  context.addIssue({ code: "custom", path: ["hooks", found[0], "shell_exec"], message });
}
