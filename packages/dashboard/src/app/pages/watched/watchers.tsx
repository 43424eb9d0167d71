import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { usePolling } from "../../data/jobs/fresh-jobs.ts";
import { useLive } from "../../data/live.ts";
import { listed } from "../../data/records/lists.ts";
import { type OnSubject, questionAbout, subjectOf } from "../../data/records/subjects.ts";
import { Mark, Panel, type StateName } from "../../parts/basic/basic.tsx";
import { Empty, Outline, WhenLoaded } from "../../parts/basic/states.tsx";
import { hasPage } from "../../router/find-page.ts";
import { href } from "../../router/router.ts";
import { severityState } from "../alerts/state.ts";
import { t } from "./texts.ts";

type Rule = NonNullable<ReturnType<typeof listed<"alerts">>>[number];
type Explained = Awaited<ReturnType<typeof api.explainAlert>>["rows"][number];

/** A rule, and its state on the watched record. */
interface Watcher {
  readonly rule: Rule;
  readonly explained: Explained;
}

const EVERY_SEC = 60;

interface WatchersProps {
  readonly about: OnSubject;
  readonly revision: number | undefined;
}

/** The alert rules that watch a record, each with its state and the reason. */
export function Watchers({ about, revision }: WatchersProps) {
  const { type } = subjectOf(about);
  const rules = listed("alerts")?.filter(({ subject }) => subject === type);
  return rules ? <Known about={about} revision={revision} rules={rules} /> : <Outline rows={3} />;
}

function Known({ about, revision, rules }: WatchersProps & { readonly rules: readonly Rule[] }) {
  const { type, id } = subjectOf(about);
  const key = `watchers ${type} ${id} ${revision} ${rules.map((rule) => `${rule.id} ${rule.revision}`)}`;
  const found = useLoad(key, (signal) =>
    Promise.all(
      rules.map(async (rule): Promise<Watcher | undefined> => {
        const { rows } = await api.explainAlert({ alert: rule.id, ...questionAbout(about) }, { signal });
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
  if (invocation?.active) return silenced_by ? "hush" : severityState(invocation.severity);
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
