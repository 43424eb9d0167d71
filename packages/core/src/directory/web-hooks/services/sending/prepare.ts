import type { Cradle } from "../../../../kernel/container.ts";
import type { WebHookRequest } from "../../../../ports/outside/web-hook-client.ts";
import type { Cause } from "../../../../wire/cause.ts";
import type { SecretVariable } from "../../../secrets/model.ts";
import type { WebHook } from "../../model.ts";
import { type CompiledHook, compileHook, expandHook, showHook } from "../../rules/compiled.ts";
import { hiddenParts } from "../../rules/hidden.ts";
import { areHeaders } from "../../rules/record.ts";
import { createRedact, type Redact } from "../../rules/redact.ts";
import { targetsOf } from "../../rules/targets.ts";
import { buildRequest, showRequest } from "./request.ts";
import { createSign, SIGNATURE_HEADERS, type Sign } from "./signature.ts";

/** A hook ready to be sent. */
export interface PreparedHook {
  readonly request: WebHookRequest;
  /** The request as people may see it. */
  readonly shown: WebHookRequest;
  /** Undefined = requests are not signed. */
  readonly sign: Sign | undefined;
  /** Hides secrets in answers and in errors. */
  readonly redact: Redact;
}

/** Data for the templates of a hook. */
export type HookData = Readonly<Record<string, unknown>>;

export interface FireOptions {
  /** Sent as `X-Idempotency-Key`, the same with every attempt. */
  readonly idempotencyKey?: string;
  /** Aborts the firing. Nothing is recorded, because the firing is started again. */
  readonly signal?: AbortSignal;
  /** Seconds for all attempts together; a firing that takes longer fails. Default: `action_timeout`. */
  readonly patienceSec?: number;
  /** A JSON template that replaces the hook's body. Its sender keeps a log, so the delivery is not recorded. */
  readonly body?: string;
  /** Id of the recorded delivery that is resent. */
  readonly delivery?: string;
  /** Cause of a firing that is not about a job or an alert. */
  readonly cause?: Cause;
}

export interface Firing {
  readonly data: HookData;
  /** Secrets of the saved hook; of equal names the later one wins. */
  readonly variables: readonly SecretVariable[];
  readonly options: FireOptions;
}

/** Expands hooks to requests; throws `Error`, without secrets in it, for a request that may not be sent. */
export type PrepareHook = (hook: WebHook, firing: Firing) => PreparedHook;

export function createPrepare({
  config,
  events,
  expressions,
  ids,
}: Pick<Cradle, "config" | "events" | "expressions" | "ids">): PrepareHook {
  // Records are frozen, and changes replace them, so the record object identifies its revision.
  const compiled = new WeakMap<WebHook, CompiledHook>();
  // One object for all hooks, so that a client parses it only once.
  let targets = targetsOf(config);
  events.on("config.changed", () => {
    targets = targetsOf(config);
  });
  return (hook, { data, variables, options: { idempotencyKey } }) => {
    if (!areHeaders(hook.headers ?? [])) throw new Error(`Web Hook has invalid headers: ${hook.id}`);
    const templates = compiled.get(hook) ?? compileHook(hook, expressions);
    compiled.set(hook, templates);
    const secrets = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
    const expansion = {
      method: hook.method,
      context: { ...data, secrets },
      undefinedText: typeof data["_fallback"] === "string" ? data["_fallback"] : "N/A",
      dynamicHost: config.web_hook_dynamic_host,
    };
    const custom = config.web_hook_custom_opts;
    const { headers, body } = templates.secretParts;
    const originBound = { headers: [...headers, ...SIGNATURE_HEADERS], body };
    const options = { custom, idempotencyKey, originBound, targets };
    const request = buildRequest(hook, expandHook(templates, expansion), options);
    const shown = showRequest(request, showHook(templates, expansion), options);
    const sign = hook.sign_with ? createSign(idempotencyKey ?? ids.short("msg_"), hook.sign_with, secrets) : undefined;
    const values = variables.map(({ value }) => value);
    return { request, shown, sign, redact: createRedact([...values, ...hiddenParts(request.url, shown.url)]) };
  };
}
