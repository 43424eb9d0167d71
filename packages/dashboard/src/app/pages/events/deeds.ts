import { act } from "../../data/calls/act.ts";
import { api } from "../../data/calls/session.ts";
import { confirm } from "../../parts/basic/dialog.tsx";
import { go } from "../../router/router.ts";
import { t } from "./texts.ts";

type Created = Parameters<typeof api.createEvent>[0];
export type Event = Awaited<ReturnType<typeof api.getEvents>>["rows"][number];

/** Enables or disables an event without asking for confirmation, because it can be undone. */
export const setEnabled = ({ id, title }: Pick<Event, "id" | "title">, enabled: boolean) => {
  const set = (isOn: boolean) => api.updateEvent({ id, enabled: isOn });
  const done = t(enabled ? "enabled" : "isDisabled", { name: title });
  return act(`enable ${id}`, { run: () => set(enabled), done, undo: () => set(!enabled) });
};

/** Members that a copy must not have: the engine sets them, or they are unique to a record. */
const OWN: ReadonlySet<string> = new Set(["id", "username", "created", "modified", "revision", "definition"]);

/** Initial members of a copy of an event. The copy is disabled, so that the work does not run twice unnoticed. */
function copyOf(event: Event): Created {
  const members = Object.entries(event).filter(([name]) => !OWN.has(name));
  const triggers = (event.triggers ?? []).filter(({ type }) => type !== "magic");
  const copy = {
    ...Object.fromEntries(members),
    title: t("copyTitle", { name: event.title }),
    enabled: false,
    triggers,
  };
  return copy as unknown as Created;
}

export async function duplicate(event: Event): Promise<void> {
  const answer = await act(`duplicate ${event.id}`, {
    run: () => api.createEvent(copyOf(event)),
    done: ({ event: made }) => t("duplicated", { name: made.title }),
    undo: async ({ event: made }) => {
      await api.deleteEvent({ id: made.id });
      await go("/events");
    },
  });
  if (answer) await go(`/events/${answer.event.id}`);
}

export async function remove({ id, title }: Pick<Event, "id" | "title">): Promise<void> {
  const values = { name: title };
  const isSure = await confirm({ title: t("deleteTitle", values), text: t("deleteWhy"), verb: t("delete") });
  if (!isSure) return;
  const done = await act(`delete ${id}`, { run: () => api.deleteEvent({ id }), done: t("deleted", values) });
  if (done) await go("/events");
}

/** Runs an event even if it is disabled. A test run leaves out the limits and actions of the category and the configuration. */
export async function testRun({ id, title }: Pick<Event, "id" | "title">): Promise<void> {
  const run = () => api.runEvent({ id, test: true });
  const answer = await act(`test ${id}`, { run, done: t("tested", { name: title }) });
  if (answer?.id) await go(`/jobs/${answer.id}`);
}

/** Removes the jobs that wait in the event's line; running jobs continue. */
export async function dropLine({ id, title }: Pick<Event, "id" | "title">, n: number): Promise<void> {
  const question = { title: t("dropTitle", { n, name: title }), text: t("dropWhy"), verb: t("drop") };
  if (!(await confirm(question))) return;
  await act(`drop ${id}`, { run: () => api.flushEventQueue({ id }), done: ({ count }) => t("dropped", { n: count }) });
}
