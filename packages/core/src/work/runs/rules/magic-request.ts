import type { Field } from "../../../directory/plugins/model.ts";
import { forceLocked, withDefaults } from "../../../directory/plugins/rules/parameters/fields.ts";
import { formatBytes } from "../../../expressions/text-formats.ts";
import { filterMembers } from "../../../lib/json/filter-members.ts";
import type { Limit } from "../../../wire/entries/actions-and-limits.ts";
import { OVERRIDE_PREFIX } from "../../../wire/entries/override.ts";
import type { Event, Trigger } from "../../events/model.ts";
import { paramsOf } from "../../events/rules/triggers/normalise.ts";
import { amountOf, startLimit } from "../../jobs/limits/rules/limits.ts";

type Members = Readonly<Record<string, unknown>>;

/** Bounds of the ignored names that a job reports, because a stranger chose them. */
const [MAX_NAMED, MAX_NAME] = [10, 64];

/** False for names that are not parameters: a caller of a link may not change what the event does. */
const isOwn = (name: string): boolean => name !== "input" && name !== "json" && !name.startsWith(OVERRIDE_PREFIX);

/** Name of the environment variable that a parameter becomes in the process of the job. */
const variableOf = (name: string): string => name.replaceAll(/\W+/g, "_");

/**
 * False for names of variables that change the behaviour of programs, such as `BASH_ENV`, whose value a shell runs, and for
 * variables that the process of the job already has: a parameter becomes a variable and would replace them.
 */
function isFree(name: string, variables: ReadonlySet<string>): boolean {
  const variable = variableOf(name);
  const isObeyed = /^[A-Z_][A-Z0-9_]*$/.test(variable) || /^npm_config_|_proxy$/i.test(variable);
  return !isObeyed && !variables.has(variable);
}

interface Sending {
  readonly sent: Members;
  readonly definitions: readonly Field[];
  /** Names of variables that the process of the job gets from elsewhere. */
  readonly variables: ReadonlySet<string>;
}

/**
 * Merges sent values over those of the trigger, the event and the fields; locked and hidden ones keep their configured value.
 * Names that are not free count only if the event knows them; `ignored` lists some of the others, as variables.
 */
export function magicParams(event: Event, trigger: Trigger, { sent, definitions, variables }: Sending) {
  const preset = { ...event.params, ...paramsOf(trigger) };
  const known = new Set([...Object.keys(preset), ...[...event.fields, ...definitions].map(({ id }) => id)]);
  const isTaken = (name: string) => known.has(name) || isFree(name, variables);
  const own = filterMembers(sent, isOwn);
  const filled = withDefaults(event.fields, { ...preset, ...filterMembers(own, isTaken) });
  const ignored = Object.keys(own).filter((name) => !isTaken(name));
  return {
    params: forceLocked(event.fields, forceLocked(definitions, filled, preset), preset),
    ignored: ignored.slice(0, MAX_NAMED).map((name) => variableOf(name).slice(0, MAX_NAME)),
  };
}

/** Why the files of a call are refused, by the first enabled `file` limit of the event; undefined = they are accepted. */
export function refusedUploads(limits: readonly Limit[], sizes: readonly number[]): string | undefined {
  const limit = startLimit(limits, "file");
  if (!limit || sizes.length === 0) return undefined;
  if (isCounted(limit) && amountOf(limit) <= 0) return "Event does not allow file uploads.";
  if (isCounted(limit) && sizes.length > amountOf(limit))
    return `Uploaded file count exceeds limit (${amountOf(limit)}).`;
  const most = amountOf(limit, "size");
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return most > 0 && total > most ? `Uploaded file total size exceeds limit (${formatBytes(most)})` : undefined;
}

/** True when a limit bounds the number of files: it has an amount (docs/contract/events.md#magic-links). */
const isCounted = ({ amount }: Limit): boolean => amount !== undefined && amount !== null && amount !== "";

/** Files that a form may offer: 0 = none; undefined = any number. */
export function offeredFiles(limits: readonly Limit[]): number | undefined {
  const limit = startLimit(limits, "file");
  return limit && isCounted(limit) ? Math.max(0, amountOf(limit)) : undefined;
}
