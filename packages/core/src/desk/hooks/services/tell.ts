import { causedByHook } from "../../../directory/activity/rules/cause.ts";
import { targetsOf } from "../../../directory/web-hooks/rules/targets.ts";
import { encodeUriValue } from "../../../expressions/index.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { sha256Hex } from "../../../lib/secrecy/hash.ts";
import { createDates } from "../../../lib/time/dates.ts";
import type { Cause } from "../../../wire/cause.ts";
import { MAIL_TEMPLATES } from "../../mail/rules/texts.ts";
import { readAddresses } from "../../texts/addresses.ts";
import { expandMail } from "../../texts/template.ts";
import { systemAuthor } from "../../tickets/model.ts";
import type { SystemHookParts } from "../config.ts";
import type { HookPart } from "../rules/find-hook.ts";
import { factsOf, type HookPayload } from "../rules/payload.ts";
import { runCommand } from "./run-command.ts";

/** One part of a hook to carry out. */
export interface Telling {
  readonly hook: SystemHookParts;
  readonly payload: HookPayload;
  /** Idempotency key, the same for all attempts at a part. */
  readonly key: string;
  readonly signal: AbortSignal;
  /** The row or job that it is about. */
  readonly cause: Cause;
}

export type TellDeps = Pick<
  Cradle,
  "clock" | "config" | "expressions" | "mails" | "processes" | "tickets" | "transact" | "webHookClient" | "webHooks"
>;

type Tell = (telling: Telling, deps: TellDeps) => Promise<void>;

/** A failure that may succeed when retried. */
class TemporaryError extends Error {
  readonly temporary = true;
}

const TIMEOUT_MS = 30_000;

/**
 * How each part is carried out. Rejects with a text for the log that contains no address, since an address may be a credential.
 */
export const TELL: Readonly<Record<HookPart, Tell>> = {
  async url({ hook, payload, key, signal }, { config, expressions, webHookClient }) {
    if (!webHookClient) throw new Error("Web hooks are not configured: the host gave no web hook client");
    const url = expressions.compileTemplate(hook.url ?? "").expand(payload, { filter: encodeUriValue });
    const request = {
      method: "POST",
      url: new URL(url).href,
      headers: { "Content-Type": "application/json", "X-Idempotency-Key": key },
      body: JSON.stringify(payload),
      timeoutMs: TIMEOUT_MS,
      followRedirects: false,
      skipCertificateCheck: false,
      targets: targetsOf(config),
    };
    const { status } = await webHookClient.send(request, signal).catch((error: unknown) => {
      if (error instanceof TypeError) throw error;
      throw new TemporaryError("The address did not answer", { cause: error });
    });
    if (status >= 500 || status === 429) throw new TemporaryError(`The address answered with HTTP ${status}`);
    if (status < 200 || status > 299) throw new Error(`The address answered with HTTP ${status}`);
  },

  async web_hook({ hook, payload, key, signal, cause }, { config, webHooks }) {
    // Slightly less than the whole may take, so that the firing is recorded as failed and not as aborted.
    const patienceSec = config.action_timeout * 0.99;
    const given = { idempotencyKey: key, signal, patienceSec, cause };
    const { code, description } = await webHooks.fire(hook.web_hook ?? "", payload, given);
    // Not retried here: the definition of the web hook sets the number of retries.
    if (code !== 0) throw new Error(description);
  },

  async shell_exec({ hook, payload, signal }, { clock, config, processes }) {
    if (!config.hook_shell_exec || !processes) throw new Error("Process execution is disabled");
    const line = `${JSON.stringify({ ...payload, xy: 1 })}\n`;
    await runCommand(hook.shell_exec ?? "", line, { clock, processes, signal, baseUrl: config.base_app_url });
  },

  async email({ hook, payload, key, signal }, deps) {
    const { addresses: to } = readAddresses(hook.email ?? "");
    const data = reportData(payload, deps);
    await deps.mails.send({ template: "activity", to, data, key }, { signal, patienceSec: 0 });
  },

  async ticket({ hook, payload, key, cause }, deps) {
    const id = ticketId(key, payload.epoch);
    const draft = {
      subject: `Activity Report: ${payload.description}`.slice(0, 500),
      type: "issue",
      status: "open",
      body: reportText(payload, deps),
      ...hook.ticket,
      id,
    };
    await deps.transact(async (unit) => {
      if (await deps.tickets.load(unit, id)) return;
      await deps.tickets.create(quietly(unit), draft, { ...systemAuthor, cause, announce: "debounced" });
    });
  },
};

/** All attempts use the same id, so that the ticket is created only once. It sorts by time, like the ids of other tickets. */
const ticketId = (key: string, epoch: number): string =>
  `t${Math.floor(epoch * 1000).toString(36)}${sha256Hex(key)}`.slice(0, 16);

const quietly = (unit: Unit): Unit => ({
  ...unit,
  audit: (action, detail) => unit.audit(action, causedByHook(detail)),
});

function reportData(payload: HookPayload, { config }: Pick<Cradle, "config">): Record<string, unknown> {
  const json = JSON.stringify(payload, undefined, 2).slice(0, MAX_JSON);
  return { ...payload, ...factsOf(payload), date_time: createDates(config)(payload.epoch), json };
}

/** Maximum characters of the JSON in a mail or a ticket. */
const MAX_JSON = 32_768;

/** A report of the payload in Markdown. */
function reportText(payload: HookPayload, deps: TellDeps): string {
  const { config, expressions } = deps;
  const template = config.mail_templates["activity"] ?? MAIL_TEMPLATES["activity"] ?? "";
  const shared = { client: config.client, base_app_url: config.base_app_url };
  const data = { ...reportData(payload, deps), config: shared };
  return expandMail(template, { expressions, data }).body("html").trim();
}
