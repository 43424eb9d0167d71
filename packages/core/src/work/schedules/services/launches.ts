import { categoryRecords } from "../../../directory/categories/records.ts";
import { pluginRecords } from "../../../directory/plugins/records.ts";
import { definitionIn } from "../../../kernel/apart.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { SignalboxError } from "../../../kernel/errors/errors.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import type { Event, EventState, Trigger } from "../../events/model.ts";
import { workflowOf } from "../../graphs/rules/start-node.ts";
import type { LaunchRequest } from "../../jobs/model.ts";
import { fromTrigger } from "../../runs/rules/from-trigger.ts";
import { type DueRun, keyOf, type Schedule } from "../rules/triggers.ts";
import type { Stagger } from "./stagger.ts";

type Deps = Pick<Cradle, "apart" | "definitions" | "eventRecords" | "launcher" | "log" | "storage" | "transact">;

/** False for an event whose category or plugin is disabled or gone: the scheduler skips it. */
export function isRunnable({ definitions, log }: Pick<Deps, "definitions" | "log">, event: Event): boolean {
  const category = definitions.get(categoryRecords, event.category);
  if (!category) {
    log.error({ event: event.id, category: event.category }, "The category of a scheduled event does not exist");
    return false;
  }
  if (!category.enabled) return false;
  return event.plugin.startsWith("_") || Boolean(definitions.get(pluginRecords, event.plugin)?.enabled);
}

/** Launches events with a startup trigger once per engine (docs/contract/schedules.md#startup). */
export async function launchStartup(deps: Deps, stagger: Stagger): Promise<void> {
  for (const event of deps.eventRecords.all()) {
    const about = definitionIn("launches at the start", "Event", event.id);
    await deps.apart
      .run(about, () => launchAtStart(deps, stagger, event))
      .catch((error: unknown) =>
        deps.log.error({ event: event.id, error }, "An event could not be launched at the start"),
      );
  }
}

async function launchAtStart(deps: Deps, stagger: Stagger, event: Event): Promise<void> {
  const index = event.triggers.findIndex(({ enabled, type }) => enabled && type === "startup");
  const trigger = event.triggers[index];
  if (!trigger || !event.enabled || !isRunnable(deps, event)) return;
  const uniqueKey = `${event.id}:${keyOf(trigger, index)}:startup:${deps.storage.coordination.nodeId}`;
  const until = stagger.next();
  const request: LaunchRequest = {
    event,
    source: "startup",
    uniqueKey,
    overrides: workflowOf(event, { source: "startup", fired: trigger }),
    ...fromTrigger(event, trigger),
    ...(until === undefined ? {} : { until }),
  };
  await deps.transact((unit) => launchOne(deps, unit, event, request));
}

/**
 * Launches one run. A refused launch is logged and dropped, so that it does not keep the other runs of the minute from starting.
 */
export async function launchOne(
  { launcher, log }: Pick<Deps, "launcher" | "log">,
  unit: Unit,
  event: Event,
  request: LaunchRequest,
): Promise<void> {
  try {
    await launcher.launch(unit, request);
  } catch (error) {
    if (!(error instanceof SignalboxError)) throw error;
    log.warn({ event: event.id, error }, "A scheduled launch was refused");
    unit.audit("warning", {
      description: `Failed to launch scheduled event: ${event.title}: ${error.message}`,
      keywords: [event.id],
    });
  }
}

interface DueLaunch {
  readonly schedule: Schedule;
  readonly run: DueRun;
  readonly state: EventState;
  /** Start no earlier, Unix seconds. */
  readonly earliest?: number | undefined;
}

/** The launch of a due run. Its key makes it happen once, however many nodes ask for it. */
export function requestOf(event: Event, { schedule, run, state, earliest }: DueLaunch): LaunchRequest {
  const { key, trigger } = run.launcher;
  const until = Math.max(run.until ?? 0, earliest ?? 0);
  return {
    event,
    source: "scheduler",
    ...fromTrigger(event, trigger),
    overrides: {
      ...workflowOf(event, { source: "scheduler", fired: trigger }),
      ...(schedule.quiet ? quietFlags(schedule.quiet) : {}),
    },
    now: run.now,
    ...(until > 0 ? { until } : {}),
    ...(trigger.type === "schedule" ? {} : { stype: trigger.type }),
    uniqueKey: launchKeyOf(event, { key, now: run.now, replay: state.replay }),
  };
}

interface RunName {
  /** Key of the trigger. */
  readonly key: string;
  readonly now: number;
  readonly replay: number | undefined;
}

/**
 * Consists of event, trigger and due second. A replay that a person asked for has separate runs, and so has an event that was
 * deleted and created again.
 */
export const launchKeyOf = ({ id, created }: Event, { key, now, replay }: RunName): string =>
  `${id}:${key}:${now}${replay ? `:${replay}@${created}` : ""}`;

function quietFlags({ invisible, ephemeral }: Trigger): Record<string, boolean> {
  return { ...(invisible ? { invisible: true } : {}), ...(ephemeral ? { ephemeral: true } : {}) };
}
