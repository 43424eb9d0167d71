import type { FileRecord } from "../../../directory/files/rules/file-record.ts";
import type { PluginRecord } from "../../../directory/plugins/model.ts";
import { pluginRecords } from "../../../directory/plugins/records.ts";
import { type TriggerItem, triggerItem } from "../../../directory/plugins/rules/output/trigger-line.ts";
import { withDefaults } from "../../../directory/plugins/rules/parameters/fields.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { SignalboxError } from "../../../kernel/errors/errors.ts";
import { machineZone } from "../../../lib/time/calendar.ts";
import type { Event, EventState, PendingRun } from "../../events/model.ts";
import { eventStateRecords } from "../../events/records.ts";
import { paramsOf } from "../../events/rules/triggers/normalise.ts";
import { fromEvent } from "../../jobs/launch/rules/launch.ts";
import type { LaunchRequest } from "../../jobs/model.ts";
import { type Decision, readDecision } from "../rules/decision.ts";
import { type ZoneRules, zoneOf } from "../rules/pattern.ts";
import { isWaiting, withFailed, withoutDecided } from "../rules/pending.ts";
import { type DueRun, type Schedule, scheduleOf } from "../rules/triggers.ts";
import { launchOne, requestOf } from "./launches.ts";
import { readPluginFiles } from "./plugin-files.ts";
import type { Stagger } from "./stagger.ts";

/** Asks scheduler plugins about due runs and launches the runs that they approve (docs/contract/plugins.md#scheduler-plugins). */
export interface Decisions {
  /** Starts to ask, in the background, about all waiting runs of these events. */
  ask(
    candidates: readonly Candidate[],
    pass: { readonly stagger: Stagger; readonly signal: AbortSignal },
  ): Promise<void>;
  /** Ends the programs; runs that they have not decided are left to the next engine. */
  stop(): Promise<void>;
}

export interface Candidate {
  readonly event: Event;
  readonly schedule: Schedule;
}

/** One due run, with the facts that its plugin and its launch need. */
interface Question extends Candidate {
  readonly pending: PendingRun;
  readonly run: DueRun;
  readonly state: EventState;
}

/** Most items that one process is asked about; the others wait for the next minute. */
const MAX_ITEMS = 500;
/** Concurrent processes. The bound of the runner is higher. */
const AT_ONCE = 4;

type Deps = Pick<
  Cradle,
  | (
      | "activeJobs"
      | "blobs"
      | "clock"
      | "config"
      | "definitions"
      | "eventRecords"
      | "eventStates"
      | "inputFiles"
      | "launcher"
      | "log"
      | "processes"
    )
  | ("schedulerTrials" | "snapshot" | "storage" | "transact")
>;

interface Desk {
  readonly deps: Deps;
  readonly rules: ZoneRules;
  /** Events about which a process is being asked. */
  readonly busy: Set<string>;
  readonly signal: AbortSignal;
}

export function createDecisions(deps: Deps, rules: ZoneRules): Decisions {
  const stopping = new AbortController();
  const busy = new Set<string>();
  const running = new Set<Promise<void>>();
  return {
    async ask(candidates, { stagger, signal }) {
      const desk: Desk = { deps, rules, busy, signal: AbortSignal.any([signal, stopping.signal]) };
      const groups = await collectQuestions(desk, candidates);
      for (const questions of groups.values()) for (const { event } of questions) busy.add(event.id);
      const lists = [...groups];
      const work = async (): Promise<void> => {
        for (let group = lists.shift(); group; group = lists.shift()) await askPlugin(desk, group, stagger);
      };
      const done = Promise.all(Array.from({ length: Math.min(AT_ONCE, lists.length) }, work)).then(() => undefined);
      running.add(done);
      const ended = (): void => void running.delete(done);
      done.then(ended, ended);
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

/** Runs that wait for an answer, grouped by plugin. */
async function collectQuestions(
  { busy, deps }: Desk,
  candidates: readonly Candidate[],
): Promise<Map<string, Question[]>> {
  const free = candidates.filter(({ event }) => !busy.has(event.id));
  const groups = new Map<string, Question[]>();
  if (free.length === 0) return groups;
  const states = await deps.snapshot((tx) =>
    tx.collection(eventStateRecords).getMany(free.map(({ event }) => event.id)),
  );
  for (const [index, candidate] of free.entries()) {
    const state = states[index];
    const id = String(candidate.schedule.plugin?.["plugin_id"]);
    const known = groups.get(id) ?? [];
    const added = state?.pending ? questionsOf(candidate, state, deps.clock.now()) : [];
    if (added.length > 0) groups.set(id, [...known, ...added.slice(0, MAX_ITEMS - known.length)]);
  }
  return groups;
}

/** The waiting runs of an event whose trigger is still there and whose time is not over. */
function questionsOf({ event, schedule }: Candidate, state: EventState, now: number): Question[] {
  return (state.pending ?? []).flatMap((pending) => {
    const launcher = schedule.launchers.find(({ key }) => key === pending.key);
    if (!launcher || !isWaiting(pending, schedule, now)) return [];
    const { now: due, until } = pending;
    return [
      { event, schedule, pending, state, run: { launcher, now: due, ...(until === undefined ? {} : { until }) } },
    ];
  });
}

async function askPlugin(desk: Desk, [id, questions]: [string, Question[]], stagger: Stagger): Promise<void> {
  const { deps, busy, signal } = desk;
  try {
    const plugin = deps.definitions.get(pluginRecords, id);
    if (!plugin?.enabled || signal.aborted) return;
    const answers = await decide(desk, plugin, questions);
    if (signal.aborted) return;
    if ("fault" in answers) await noteFailure(deps, { plugin, questions, fault: answers.fault });
    else await launchChosen(desk, { plugin, questions, answers: answers.items }, stagger);
  } catch (error) {
    deps.log.error({ plugin: id, error }, "The answers of a scheduler plugin could not be stored; it is asked again");
  } finally {
    for (const { event } of questions) busy.delete(event.id);
  }
}

type Answers = { readonly items: readonly unknown[] } | { readonly fault: string };

async function decide(
  { deps, rules, signal }: Desk,
  plugin: PluginRecord,
  questions: readonly Question[],
): Promise<Answers> {
  const items = questions.map((question) => itemOf(plugin, question, rules));
  try {
    const activeJobs = await deps.snapshot((tx) => deps.activeJobs.startedOf(tx));
    const { data, fault } = await deps.schedulerTrials.decide({ plugin, items, activeJobs, signal });
    return fault === undefined ? { items: (data as { items: unknown[] }).items } : { fault };
  } catch (error) {
    if (!(error instanceof SignalboxError)) throw error;
    return { fault: error.description };
  }
}

function itemOf(plugin: PluginRecord, { event, run, schedule }: Question, rules: ZoneRules): TriggerItem {
  const trigger = schedule.plugin ?? { type: "plugin" };
  const { trigger: launcher } = run.launcher;
  return triggerItem({
    pluginId: plugin.id,
    params: withDefaults(plugin.params ?? [], paramsOf(trigger)),
    // The input names a zone even when none is configured.
    timezone: zoneOf(trigger, rules) || machineZone(),
    epoch: run.now,
    calendar: rules.calendar,
    job: {
      ...fromEvent(event),
      event: event.id,
      params: { ...event.params, ...paramsOf(launcher) },
      source: "plugin",
      splugin: plugin.id,
      now: run.now,
      ...(run.until === undefined ? {} : { state: "start_delay", until: run.until }),
    },
  });
}

interface Failure {
  readonly plugin: PluginRecord;
  readonly questions: readonly Question[];
  readonly fault: string;
}

async function noteFailure({ eventStates, transact }: Deps, { plugin, questions, fault }: Failure): Promise<void> {
  const events = Map.groupBy(questions, ({ event }) => event.id);
  await transact(async ({ audit, tx }) => {
    for (const [id, mine] of events) {
      const catchup = mine.some(({ schedule }) => schedule.catchup);
      const failed = mine.map(({ pending }) => pending);
      await eventStates.write(tx, id, (state) => ({
        ...state,
        pending: withFailed(state.pending, failed, catchup),
      }));
    }
    audit("warning", {
      description: `Scheduler plugin failed: ${plugin.title}: ${fault}`,
      keywords: [plugin.id, ...[...events.keys()].slice(0, 20)],
    });
  });
}

interface Chosen {
  readonly plugin: PluginRecord;
  readonly questions: readonly Question[];
  readonly answers: readonly unknown[];
}

async function launchChosen(desk: Desk, { plugin, questions, answers }: Chosen, stagger: Stagger): Promise<void> {
  const decided = questions.map((question, index) => ({ question, decision: readDecision(answers[index]) }));
  for (const [id, mine] of Map.groupBy(decided, ({ question }) => question.event.id)) {
    const launches: Accepted[] = [];
    const warnings: string[] = [];
    for (const { question, decision } of mine) {
      if (!decision.launch) continue;
      const files = await readPluginFiles(desk.deps, plugin, decision.files);
      if (files.fault === undefined) launches.push({ question, decision, files: files.records, stagger });
      else warnings.push(`Failed to launch scheduled event: ${question.event.title}: ${files.fault}`);
    }
    const done = mine.map(({ question }) => question.pending);
    await desk.deps.transact(async (unit) => {
      const event = await desk.deps.eventRecords.fresh(unit.tx, id);
      for (const { question, ...answered } of launches) {
        const present = asItIsNow(question, event);
        if (present) await launchOne(desk.deps, unit, present.event, launchOf(plugin, present, answered));
      }
      for (const description of warnings) unit.audit("warning", { description, keywords: [id, plugin.id] });
      await desk.deps.eventStates.write(unit.tx, id, (state) => ({
        ...state,
        pending: withoutDecided(state.pending, done),
      }));
    });
  }
}

interface Answered {
  readonly decision: Decision;
  readonly files: readonly FileRecord[];
  readonly stagger: Stagger;
}

interface Accepted extends Answered {
  readonly question: Question;
}

/** The question with the current record of its event, since a program takes time; undefined when its trigger is gone. */
function asItIsNow(question: Question, event: Event | undefined): Question | undefined {
  const schedule = event && scheduleOf(event);
  const launcher = schedule?.launchers.find(({ key }) => key === question.run.launcher.key);
  return event && schedule && launcher && { ...question, event, schedule, run: { ...question.run, launcher } };
}

function launchOf(plugin: PluginRecord, question: Question, { decision, files, stagger }: Answered): LaunchRequest {
  const { event, run, schedule, state } = question;
  const { now, until } = run;
  const delayed = decision.delay === undefined ? until : now + decision.delay;
  const due: DueRun = { launcher: run.launcher, now, ...(delayed === undefined ? {} : { until: delayed }) };
  const request = requestOf(event, { schedule, run: due, state, earliest: stagger.next() });
  const { invisible: _quiet, ...overrides } = request.overrides ?? {};
  const data = { ...request.input?.data, ...decision.data };
  return {
    ...request,
    source: "plugin",
    splugin: plugin.id,
    overrides: decision.invisible ? { ...overrides, invisible: true } : overrides,
    input: {
      ...(Object.keys(data).length > 0 ? { data } : {}),
      ...(files.length > 0 ? { files: files.map((file) => ({ ...file })) } : {}),
    },
  };
}
