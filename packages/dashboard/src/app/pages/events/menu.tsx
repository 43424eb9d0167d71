import { can } from "../../data/calls/session.ts";
import { activeJobs } from "../../data/records/counts.ts";
import { Menu } from "../../parts/basic/menu.tsx";
import { go } from "../../router/router.ts";
import { dropLine, duplicate, type Event, remove, setEnabled, testRun } from "./deeds.ts";
import { t } from "./texts.ts";

interface EventMenuProps {
  readonly event: Event;
  readonly kind?: string;
  /** Leaves out the actions that the page already shows as buttons. */
  readonly isShort?: boolean;
}

/** Actions on an event other than running it. */
export function EventMenu({ event, kind, isShort = false }: EventMenuProps) {
  const isOn = Boolean(event.enabled);
  const waiting = activeJobs.all().filter((job) => job.event === event.id && job["state"] === "queued").length;
  return (
    <Menu
      label={t("actionsOf", { name: event.title })}
      {...(kind ? { kind } : {})}
      items={[
        can("run_jobs") && { title: t("testRun"), icon: "play", run: () => testRun(event) },
        !isShort && can("edit_events") && { title: t("edit"), icon: "edit", run: () => go(`/events/${event.id}/edit`) },
        can("edit_events") && {
          title: t(isOn ? "disable" : "enable"),
          icon: isOn ? "pause" : "play",
          run: () => setEnabled(event, !isOn),
        },
        waiting > 0 &&
          can("abort_jobs") && { title: t("dropLine", { n: waiting }), icon: "x", run: () => dropLine(event, waiting) },
        can("create_events") && { title: t("duplicate"), icon: "copy", run: () => duplicate(event) },
        can("delete_events") && { title: t("delete"), icon: "trash", isDanger: true, run: () => remove(event) },
      ]}
    />
  );
}
