import type { Cradle } from "../../../kernel/container.ts";
import { createDailyCount } from "../../../kernel/daily-count.ts";
import { createCounts } from "../../../kernel/trials.ts";
import { webHookCollection, webHookCountCollection } from "../collection.ts";
import type { HookTexts, WebHook } from "../model.ts";
import { compileFault } from "../rules/compiled.ts";
import { createDeliveryHistory } from "./history.ts";
import { deliver, failed, type WebHookOutcome } from "./sending/deliver.ts";
import { createPrepare, type FireOptions, type Firing, type HookData } from "./sending/prepare.ts";

/**
 * Sends the requests that definitions describe. Called from queued work, because a request must not be sent before its commit.
 */
export interface WebHookSender {
  /**
   * Fires a saved hook by id, subject to its daily limit, or the given record. Secrets come from the saved hook with the same id.
   * A refusal or a failed request is an outcome; rejects only when the storage fails.
   */
  fire(hook: string | WebHook, data: HookData, options?: FireOptions): Promise<WebHookOutcome>;
  /** The wire text of the first macro that does not compile; undefined when all do. */
  check(hook: HookTexts): string | undefined;
  /** Counts a call of fire_job_web_hook; false when the job has made sixty within a minute on this node. */
  admitJob(job: string): boolean;
}

type Deps = Pick<
  Cradle,
  | "webHookClient"
  | "definitions"
  | "expressions"
  | "clock"
  | "config"
  | "events"
  | "ids"
  | "jobs"
  | "log"
  | "transact"
  | "vault"
>;

const PER_JOB_AND_MINUTE = 60;
const NOT_CONFIGURED = "Web hooks are not configured: the host gave no web hook client";

export function createWebHookSender(deps: Deps): WebHookSender {
  const { definitions, expressions, vault, webHookClient } = deps;
  const countFiring = createDailyCount(deps, webHookCountCollection);
  const prepare = createPrepare(deps);
  const history = createDeliveryHistory(deps);

  return {
    async fire(hook, data, options = {}) {
      if (typeof hook !== "string") return open(hook, { data, options });
      const saved = definitions.get(webHookCollection, hook);
      const refusal = saved ? await admit(saved) : `Web Hook not found: ${hook}`;
      if (!saved || refusal !== undefined) return failed(String(refusal));
      deps.jobs.stats.count(["invocations"], [`web_hooks/${saved.id}`]);
      const outcome = await open(withBody(saved, options.body), { data, options });
      if (options.body === undefined) await history.note(saved, { data, options }, outcome);
      return outcome;
    },
    check: (hook) => compileFault(hook, expressions),
    admitJob: createCounts(deps, PER_JOB_AND_MINUTE),
  };

  /** Counts the firing; returns text that says why it was refused. */
  async function admit({ id, enabled, max_per_day }: WebHook): Promise<string | undefined> {
    if (!webHookClient) return NOT_CONFIGURED;
    if (!enabled) return `Web Hook is disabled: ${id}`;
    const limit = max_per_day ?? 0;
    if (await countFiring(id, limit)) return undefined;
    return `Web Hook has reached maximum daily limit: ${id} (${limit}/day)`;
  }

  /** Gives no secrets to a record that was never saved, even if a secret names its id. */
  async function open(hook: WebHook, firing: Omit<Firing, "variables">): Promise<WebHookOutcome> {
    if (!webHookClient) return failed(NOT_CONFIGURED);
    const isSaved = definitions.get(webHookCollection, hook.id) !== undefined;
    const variables = isSaved ? await vault.variables("web_hooks", hook.id) : [];
    const prepared = attempt(() => prepare(hook, { ...firing, variables }));
    if (prepared instanceof Error) return failed(`Error: ${prepared.message}`);
    return deliver(hook, { ...prepared, ...firing.options, client: webHookClient }, deps);
  }
}

function attempt<T>(work: () => T): T | Error {
  try {
    return work();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function withBody(hook: WebHook, body: string | undefined): WebHook {
  if (body === undefined) return hook;
  const others = (hook.headers ?? []).filter(({ name }) => name.toLowerCase() !== "content-type");
  return { ...hook, body, headers: [...others, { name: "Content-Type", value: "application/json" }] };
}
