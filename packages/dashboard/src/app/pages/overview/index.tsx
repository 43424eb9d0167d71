import { firing } from "../../data/counts.ts";
import { useFreshJobs } from "../../data/fresh-jobs.ts";
import { useLoad } from "../../data/load.ts";
import { api, isAdmin } from "../../data/session.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Head } from "../../parts/basic.tsx";
import { clock, day, now, zoneName } from "../../texts/format.ts";
import { Activity } from "./activity.tsx";
import { Counters } from "./counters.tsx";
import { NeedList } from "./need-list.tsx";
import { type FailedJob, needsOf } from "./needs.ts";
import { NextRuns } from "./next-runs.tsx";
import { RunningNow } from "./running-now.tsx";
import { Servers } from "./servers.tsx";
import { t } from "./texts.ts";

const DAY_SEC = 86_400;
const MOST = 100;

/** Failed jobs of the last day, and the newest good end of each event. */
async function readFailures(): Promise<{ failed: readonly FailedJob[]; goodSince: ReadonlyMap<string, number> }> {
  const since = Math.floor(now.peek() - DAY_SEC);
  const [bad, good] = await Promise.all([
    api.searchJobs({ query: `tags:_error date:>${since}`, limit: MOST }),
    api.searchJobs({ query: `tags:_success date:>${since}`, limit: MOST, select: ["id", "event", "completed"] }),
  ]);
  const goodSince = new Map<string, number>();
  for (const { event = "", completed = 0 } of good.rows)
    goodSince.set(event, Math.max(completed, goodSince.get(event) ?? 0));
  return { failed: bad.rows, goodSince };
}

/** Whether anything needs a person now, what runs, and what comes. */
export function Page() {
  useCrumbs([]);
  const failures = useLoad("failures", readFailures);
  useFreshJobs(failures.reload);
  const known = failures.data.value;
  const needs = needsOf({
    firing: firing.value,
    failed: known?.failed ?? [],
    goodSince: known?.goodSince ?? new Map(),
  });
  const title = needs.length === 0 ? t("nothing") : t("need", { n: needs.length });
  return (
    <>
      <Head title={title} note={`${day(now.value)}, ${clock(now.value)} · ${zoneName()}`} />
      <div class="over">
        <NeedList needs={needs} />
        <Counters />
        <RunningNow />
        <NextRuns />
        <Servers />
        {isAdmin() ? <Activity /> : null}
      </div>
    </>
  );
}
