import { api } from "../../data/session.ts";

export interface Run {
  readonly epoch: number;
  readonly event: string;
  readonly title: string;
}

type Trigger = Readonly<Record<string, unknown>> & { readonly type?: string; readonly enabled?: unknown };

export interface PlannedEvent {
  readonly id: string;
  readonly title: string;
  readonly triggers: readonly Trigger[];
}

const LAUNCHING: ReadonlySet<string> = new Set(["schedule", "interval", "single", "plugin"]);
/** What starts an event, but not by the clock. */
const ASIDE: ReadonlySet<string> = new Set(["manual", "magic", "startup", "keyboard"]);

const active = ({ triggers }: { readonly triggers?: unknown }): Trigger[] =>
  (Array.isArray(triggers) ? (triggers as Trigger[]) : []).filter((trigger) => trigger?.enabled);

/** True for an event that the clock starts. */
export const isPlanned = (event: { readonly enabled?: unknown; readonly triggers?: unknown }): boolean =>
  Boolean(event.enabled) && active(event).some(({ type = "" }) => LAUNCHING.has(type));

/** Most triggers of one question, as events have at most. */
const MOST_TRIGGERS = 100;
/** Most questions; further events with rules of their own come later than what is shown, or are left to their pages. */
const MOST_QUESTIONS = 12;

/** One question: triggers side by side, each with the event that it starts; or an event by itself. */
export type Question =
  | { readonly kind: "together"; readonly triggers: readonly Trigger[]; readonly owners: readonly PlannedEvent[] }
  | { readonly kind: "alone"; readonly event: PlannedEvent };

/**
 * Puts the triggers of many events into one question. An event whose other triggers change when it runs (windows, blackouts,
 * every n-th, a plugin that decides) is asked about alone.
 */
export function questionsOf(events: readonly PlannedEvent[]): Question[] {
  const together: { triggers: Trigger[]; owners: PlannedEvent[] }[] = [];
  const alone: Question[] = [];
  for (const event of events) {
    const triggers = active(event).filter(({ type = "" }) => !ASIDE.has(type));
    const isSimple = triggers.every(({ type = "" }) => LAUNCHING.has(type) && type !== "plugin");
    if (!isSimple) {
      alone.push({ kind: "alone", event });
      continue;
    }
    let last = together.at(-1);
    if (!last || last.triggers.length + triggers.length > MOST_TRIGGERS) {
      last = { triggers: [], owners: [] };
      together.push(last);
    }
    last.triggers.push(...triggers);
    last.owners.push(...triggers.map(() => event));
  }
  return [...together.map((one): Question => ({ kind: "together", ...one })), ...alone].slice(0, MOST_QUESTIONS);
}

async function ask(question: Question, limit: number): Promise<readonly Run[]> {
  if (question.kind === "alone") {
    const { id, title } = question.event;
    const { rows } = await api.previewEvent({ id, limit });
    return rows.map(({ epoch }) => ({ epoch, event: id, title }));
  }
  const triggers = question.triggers as never;
  const { rows } = await api.previewEvent({ triggers, limit });
  return rows.flatMap(({ epoch, trigger }) => {
    const owner = question.owners[trigger];
    return owner ? [{ epoch, event: owner.id, title: owner.title }] : [];
  });
}

/** The next runs of all events by the clock. */
export async function readRuns(events: readonly PlannedEvent[], limit: number): Promise<readonly Run[]> {
  const answers = await Promise.all(questionsOf(events).map((question) => ask(question, limit)));
  return answers
    .flat()
    .sort((left, right) => left.epoch - right.epoch)
    .slice(0, limit);
}
