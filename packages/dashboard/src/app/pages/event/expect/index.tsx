import { firing } from "../../../data/counts.ts";
import { usePolling } from "../../../data/fresh-jobs.ts";
import { listed } from "../../../data/lists.ts";
import { useLive } from "../../../data/live.ts";
import { useLoad } from "../../../data/load.ts";
import { api, can } from "../../../data/session.ts";
import { subjectOf } from "../../../data/subjects.ts";
import { Mark, Panel, type StateName } from "../../../parts/basic.tsx";
import { Empty, Outline, WhenLoaded } from "../../../parts/states.tsx";
import { hasPage } from "../../../router/find-page.ts";
import { href } from "../../../router/router.ts";
import type { Event } from "../../events/deeds.ts";
import { t } from "../texts.ts";
import { LookBack } from "./look-back.tsx";
import { expectWords } from "./words.ts";

type Rule = NonNullable<ReturnType<typeof listed<"alerts">>>[number];
type Explained = Awaited<ReturnType<typeof api.explainAlert>>["rows"][number];

/** A rule on events, and how it stands with one of them. */
interface Watcher {
  readonly rule: Rule;
  readonly explained: Explained;
}

const EVERY_SEC = 60;

/** What must happen by itself, which rules see to it, and what they would have said. */
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
        <Watchers event={event} rules={rules} />
      </div>
      <div class="c6 stack">{can("edit_alerts") && <LookBack event={id} rules={rules} />}</div>
    </div>
  );
}

interface WatchersProps {
  readonly event: Event;
  readonly rules: readonly Rule[];
}

function Watchers({ event: { id, revision }, rules }: WatchersProps) {
  const found = useLoad(`watchers ${id} ${revision} ${rules.map((rule) => `${rule.id} ${rule.revision}`)}`, (signal) =>
    Promise.all(
      rules.map(async (rule): Promise<Watcher | undefined> => {
        const { rows } = await api.explainAlert({ alert: rule.id, event: id }, { signal });
        return rows[0] && { rule, explained: rows[0] };
      }),
    ),
  );
  usePolling(EVERY_SEC, found.reload);
  useLive("update", (lists: Record<string, unknown>) => "activeAlerts" in lists && found.reload());
  return (
    <Panel title={t("watchers")}>
      <WhenLoaded of={found} rows={3}>
        {(watchers) => {
          const known = watchers.filter((one) => one !== undefined);
          return known.length === 0 ? (
            <Empty>{t("noWatchers")}</Empty>
          ) : (
            <ul class="linked">
              {known.map((watcher) => (
                <One key={watcher.rule.id} {...watcher} />
              ))}
            </ul>
          );
        }}
      </WhenLoaded>
    </Panel>
  );
}

function stateOf({ explained: { enabled, in_scope, invocation, silenced_by, state } }: Watcher): StateName {
  if (!enabled || !in_scope) return "abort";
  if (invocation?.active) return silenced_by ? "hush" : "crit";
  return state === "warming" ? "wait" : "ok";
}

function One(watcher: Watcher) {
  const { rule, explained } = watcher;
  const path = explained.invocation?.active ? `/alerts/${explained.invocation.id}` : `/alert-rules/${rule.id}`;
  return (
    <li>
      <Mark state={stateOf(watcher)} />
      <span class="grow" dir="auto">
        {hasPage(path) ? <a href={href(path)}>{rule.title}</a> : <b>{rule.title}</b>}
        {explained.result && <span class="sm sub">{explained.message}</span>}
        <span class="dim xs sub">{explained.reason}</span>
      </span>
    </li>
  );
}

/** What fires about the event now, a line each. */
export const FiresNow = ({ id }: { readonly id: string }) => (
  <>
    {firing.value
      .filter((row) => row.active && subjectOf(row).type === "event" && subjectOf(row).id === id)
      .map((row) => (
        <p key={row.id} class="cell" dir="auto">
          <Mark state={row.acknowledged ? "ack" : "crit"} />
          <a href={href(`/alerts/${row.id}`)}>{row.message}</a>
        </p>
      ))}
  </>
);
