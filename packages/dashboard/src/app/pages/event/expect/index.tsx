import { can } from "../../../data/calls/session.ts";
import { listed } from "../../../data/records/lists.ts";
import { Mark, Panel } from "../../../parts/basic/basic.tsx";
import { Empty, Outline } from "../../../parts/basic/states.tsx";
import { href } from "../../../router/router.ts";
import { firingState } from "../../alerts/state.ts";
import type { Event } from "../../events/deeds.ts";
import { firingOn } from "../../watched/standing.tsx";
import { Watchers } from "../../watched/watchers.tsx";
import { t } from "../texts.ts";
import { LookBack } from "./look-back.tsx";
import { expectWords } from "./words.ts";

/** Expectations of an event, the alert rules that watch them, and when those rules would have fired in the past. */
export function Expectations({ event }: { readonly event: Event }) {
  const { id, expect } = event;
  const rules = listed("alerts")?.filter(({ subject }) => subject === "event");
  const mayEdit = can("edit_events") && (
    <a class="btn" href={href(`/events/${id}/edit`)}>
      {t("sayWhat")}
    </a>
  );
  if (!expect) return <Empty action={mayEdit}>{t("nothingExpected")}</Empty>;
  if (!rules) return <Outline rows={4} />;
  return (
    <div class="grid">
      <div class="c6 stack">
        <Panel title={t("tab.expect")}>
          <ul class="sentences">
            {expectWords(expect).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </Panel>
        <Watchers about={{ server: `event:${id}` }} revision={event.revision} />
      </div>
      <div class="c6 stack">{can("edit_alerts") && <LookBack event={id} rules={rules} />}</div>
    </div>
  );
}

/** Alerts on the event that fire now, one per line. */
export const FiresNow = ({ id }: { readonly id: string }) => (
  <>
    {firingOn("event", id).map((row) => (
      <p key={row.id} class="cell" dir="auto">
        <Mark state={firingState(row)} />
        <a href={href(`/alerts/${row.id}`)}>{row.message}</a>
      </p>
    ))}
  </>
);
