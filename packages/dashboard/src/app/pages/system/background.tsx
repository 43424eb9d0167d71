import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { useLive } from "../../data/live.ts";
import { personName } from "../../data/people/person-name.ts";
import { Panel } from "../../parts/basic/basic.tsx";
import { WhenLoaded } from "../../parts/basic/states.tsx";
import { Progress } from "../../parts/charts/gauges.tsx";
import { RunsFor } from "../../parts/time.tsx";
import { number, percent } from "../../texts/format.ts";
import { t } from "./texts.ts";

type Job = Awaited<ReturnType<typeof api.getInternalJobs>>["rows"][number];

/** Internal jobs of the node, kept live. */
export function Background() {
  const found = useLoad<readonly Job[]>("internal jobs", async () => (await api.getInternalJobs({})).rows);
  useLive("status", ({ internalJobs }: { readonly internalJobs?: Readonly<Record<string, Job>> }) => {
    if (internalJobs) found.set(Object.values(internalJobs));
  });
  return (
    <Panel title={t("background")} count={found.data.value?.length}>
      <WhenLoaded of={found} rows={1}>
        {(jobs) =>
          jobs.length === 0 ? (
            <p class="inner sm dim">{t("idle")}</p>
          ) : (
            <ul class="linked">
              {jobs.map((job) => (
                <One key={job.id} job={job} />
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </Panel>
  );
}

const One = ({ job: { title, username, started, progress, stats } }: { readonly job: Job }) => (
  <li>
    <span class="grow">
      <b dir="auto">{title}</b> <span class="dim xs">{personName(username ?? "")}</span>
      <span class="dim xs sub num">
        {Object.entries(stats)
          .map(([name, value]) => `${name} ${number(value)}`)
          .join(" · ")}
      </span>
    </span>
    <span class="pc">
      <Progress label={title} value={progress} />
      <span class="xs dim num">{percent(progress * 100)}</span>
    </span>
    <span class="xs dim">
      <RunsFor since={started} />
    </span>
  </li>
);
