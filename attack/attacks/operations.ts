/** Calls every operation, as every kind of caller, with inputs generated from its own description. */
import { type Described, type HostileInput, hostileInput } from "../inputs/from-schema.ts";
import type { Ask } from "../server/http.ts";
import type { Attack, Callers, Part, Stage } from "../stage/attack.ts";
import { describeOperations } from "../stage/described.ts";
import { readMembers } from "../stage/stage.ts";

/** Inputs per operation; the short form tests only the path over HTTP: `packages/core/test/hostile.test.ts` has ten. */
const INPUTS = { long: 250, short: 1 };
const AT_ONCE = 12;
/** Fails on purpose. */
const FAILS = new Set(["error"]);
/** Operations whose answers contain facts about the machine, such as command lines with paths. */
const OF_SYSTEM = /snapshot|_server|_group|_job|admin_get_config/;
/** Operations that change keys, sessions or settings that all others need, so they come last. */
const LAST =
  /^(?:admin_update_config|admin_rotate_secret_key|admin_logout_all|admin_delete|update_api_key|delete_api_key)$/;

/** Each caller attacks in a separate turn, so that the figures of strangers include no work for administrators. */
const asCaller = (who: keyof Callers, short: boolean): Attack => ({
  name: `${who} calls every operation with hostile inputs`,
  by: who === "stranger" ? "strangers" : "callers",
  short,
  async run(stage) {
    const all = await describeOperations(stage);
    const operations = all.toSorted((a, b) => Number(LAST.test(a.name)) - Number(LAST.test(b.name)));
    const count = stage.short ? INPUTS.short : INPUTS.long;
    const calls = operations.flatMap((operation) =>
      Array.from({ length: count }, (_, index) => ({ operation, index })),
    );
    let at = 0;
    const work = async (): Promise<void> => {
      for (let call = calls[at++]; call; call = calls[at++]) await callOnce(stage, who, call.operation, call.index);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  },
});

export const operations: Part = {
  id: "operations",
  title: "All operations with hostile inputs",
  attacks: [asCaller("stranger", true), asCaller("weak", true), asCaller("admin", true)],
};

async function callOnce(stage: Stage, who: keyof Callers, operation: Described, index: number): Promise<void> {
  const input = hostileInput(operation, stage.seed, index, stage.ids);
  if (waitsOnPurpose(operation, input)) return;
  const ask: Ask = {
    method: input.method,
    path: `${operation.path}${input.query}`,
    headers: { ...stage.callers[who], ...(input.contentType ? { "Content-Type": input.contentType } : {}) },
    ...(input.body === undefined ? {} : { body: input.body }),
  };
  const { name } = operation;
  const answer = await stage.ask(ask, { ofSystem: OF_SYSTEM.test(name), fails: FAILS.has(name) });
  if (who === "stranger" && answer.status === 200 && readMembers(answer)["code"] === 0 && !isOpen(name))
    stage.wrong(`a stranger may call ${name}`, `${ask.method} ${ask.path}`);
}

/**
 * True for calls that wait on purpose: `echo` sleeps up to ten seconds, and the test of a web hook waits between the given
 * retries. They are no finding, and would only take long.
 */
const waitsOnPurpose = ({ name }: Described, { query, body = "" }: HostileInput): boolean =>
  /^(?:echo|test_web_hook)$/.test(name) && /(?:sleep|retries)\W{1,5}[\de.+]{2,}/.test(`${query}${body}`);

/** Operations that are meant to answer strangers. */
const isOpen = (name: string): boolean =>
  /^(?:ping|error|login|logout|create|forgot_password|reset_password|resume_session|satellite)$/.test(name);
