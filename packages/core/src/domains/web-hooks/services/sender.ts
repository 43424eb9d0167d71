import type { Cradle } from "../../../kernel/container.ts";
import type { WebHookClient, WebHookRequest } from "../../../ports/web-hook-client.ts";
import { webHookCollection } from "../collection.ts";
import type { HookTexts, WebHook } from "../model.ts";
import { type CompiledHook, compileFault, compileHook, expandHook } from "../rules/compiled.ts";
import { createDailyCount } from "./daily-count.ts";
import { describeHook, statusLine } from "./details.ts";
import { buildRequest } from "./request.ts";
import { type Answer, sendWithRetries } from "./send.ts";

/** What the templates of a hook see. */
export type HookData = Readonly<Record<string, unknown>>;

export interface FireOptions {
  /** Sent as `X-Idempotency-Key`, the same with every attempt. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** How a firing ended (part 14 §2.4). */
export interface WebHookOutcome {
  /** 0 or "webhook". */
  readonly code: number | string;
  readonly description: string;
  /** Markdown; absent when nothing was sent. */
  readonly details?: string;
}

/** Makes the requests that definitions describe. Called from queued work: a request must not run before its commit. */
export interface WebHookSender {
  /**
   * Fires a saved hook by id, with its daily limit, or a record as it is. A refusal or a failed request is an outcome;
   * rejects only when the storage fails.
   */
  fire(hook: string | WebHook, data: HookData, options?: FireOptions): Promise<WebHookOutcome>;
  /** The wire text of the first macro that does not compile; undefined when all do. */
  check(hook: HookTexts): string | undefined;
}

type Deps = Pick<Cradle, "webHookClient" | "definitions" | "expressions" | "clock" | "config" | "transact" | "log">;

const NEVER_ABORTED = new AbortController().signal;
const NOT_CONFIGURED = "Web hooks are not configured: the host gave no web hook client";

export function createWebHookSender(deps: Deps): WebHookSender {
  const { webHookClient, definitions, expressions } = deps;
  const countFiring = createDailyCount(deps);
  const requestFor = createRequestMaker(deps);

  return {
    async fire(hookOrId, data, options = {}) {
      if (!webHookClient) return failed(NOT_CONFIGURED);
      if (typeof hookOrId !== "string")
        return send(hookOrId, requestFor(hookOrId, data, options), webHookClient, options);
      const hook = definitions.get(webHookCollection, hookOrId);
      if (!hook) return failed(`Web Hook not found: ${hookOrId}`);
      if (!hook.enabled) return failed(`Web Hook is disabled: ${hookOrId}`);
      if (!(await countFiring(hook)))
        return failed(`Web Hook has reached maximum daily limit: ${hookOrId} (${hook.max_per_day}/day)`);
      return send(hook, requestFor(hook, data, options), webHookClient, options);
    },
    check: (hook) => compileFault(hook, expressions),
  };

  async function send(
    hook: WebHook,
    request: WebHookRequest | Error,
    client: WebHookClient,
    { signal = NEVER_ABORTED }: FireOptions,
  ): Promise<WebHookOutcome> {
    const { clock, log } = deps;
    if (request instanceof Error) return failed(`Error: ${request.message}`);
    // The url stays out of the log: it may hold a secret.
    log.debug({ hook: hook.id, method: request.method }, "Sending web hook request");
    const { retries = 0 } = { ...deps.config.web_hook_custom_opts, ...hook } as WebHook;
    const started = clock.monotonicMs();
    const answer = await sendWithRetries(client, request, { clock, retries, signal });
    const outcome = outcomeOf(answer, request);
    if (outcome.code !== 0) log.warn({ hook: hook.id, status: answer.response?.status ?? null }, "A web hook failed");
    const { attempts, response } = answer;
    const totalMs = clock.monotonicMs() - started;
    return { ...outcome, details: describeHook({ request, retries, attempts, totalMs, response }) };
  }
}

/** Expands hooks to requests; an address or header that may not be sent becomes an `Error`. */
function createRequestMaker({ config, expressions }: Pick<Deps, "config" | "expressions">) {
  // Records are frozen and replaced by every change, so a record is its own revision.
  const compiled = new WeakMap<WebHook, CompiledHook>();
  return (hook: WebHook, data: HookData, { idempotencyKey }: FireOptions): WebHookRequest | Error => {
    try {
      const templates = compiled.get(hook) ?? compileHook(hook, expressions);
      compiled.set(hook, templates);
      const expanded = expandHook(templates, {
        method: hook.method,
        context: { ...data, secrets: {} },
        undefinedText: typeof data["_fallback"] === "string" ? data["_fallback"] : "N/A",
        dynamicHost: config.web_hook_dynamic_host,
      });
      return buildRequest(hook, expanded, { custom: config.web_hook_custom_opts, idempotencyKey });
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  };
}

function outcomeOf({ response, error }: Answer, { url }: WebHookRequest): WebHookOutcome {
  if (!response) return failed(`Error: ${error instanceof Error ? error.message : String(error)}`);
  const line = statusLine(response);
  const isSuccess = response.status >= 200 && response.status < 300;
  return isSuccess ? { code: 0, description: `Success (HTTP ${line})` } : failed(`Error: HTTP ${line}: ${url}`);
}

const failed = (description: string): WebHookOutcome => ({ code: "webhook", description });
