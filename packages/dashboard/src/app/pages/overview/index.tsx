import { can, isAdmin } from "../../data/calls/session.ts";
import { listed } from "../../data/records/lists.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Head, Panel } from "../../parts/basic/basic.tsx";
import { Icon } from "../../parts/basic/icon.tsx";
import { NoneInReach } from "../../parts/basic/states.tsx";
import { href } from "../../router/router.ts";
import { clock, day, now, zoneName } from "../../texts/format.ts";
import { Activity } from "./activity.tsx";
import { Counters } from "./counters.tsx";
import { type Needs, useNeeds } from "./needs/facts.ts";
import { NeedList } from "./needs/need-list.tsx";
import { NextRuns } from "./runs/next-runs.tsx";
import { RunningNow } from "./runs/running-now.tsx";
import { Servers } from "./servers.tsx";
import { t } from "./texts.ts";

/** Sums up the page. Claims that nothing needs attention only if everything could be loaded. */
function sentence({ needs, further, failed }: Needs): string {
  if (!needs) return t("looking");
  if (needs.length > 0) return t("need", { n: needs.length + further.alerts + further.tickets });
  return failed.length > 0 ? t("unknown") : t("nothing");
}

/** First steps, shown until there is an event. */
const Welcome = () => (
  <Panel title={t("welcome")}>
    <NoneInReach
      action={
        can("create_events") && (
          <a class="btn primary" href={href("/events/new")}>
            <Icon name="plus" />
            {t("create")}
          </a>
        )
      }
    >
      {t("welcomeWhy")}
    </NoneInReach>
  </Panel>
);

/** Problems that need attention, running jobs and next runs. */
export function Page() {
  useCrumbs([]);
  const found = useNeeds();
  return (
    <>
      <Head title={sentence(found)} note={`${day(now.value)}, ${clock(now.value)} · ${zoneName()}`} />
      <div class="stack">
        {listed("events")?.length === 0 && <Welcome />}
        <div class="over">
          <NeedList {...found} />
          <Counters />
          <RunningNow />
          <NextRuns />
          <Servers />
          {isAdmin() ? <Activity /> : null}
        </div>
      </div>
    </>
  );
}
