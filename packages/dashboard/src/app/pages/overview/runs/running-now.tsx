import { jobState } from "../../../data/jobs/job-state.ts";
import { activeJobs, jobsRead, listedJobs } from "../../../data/records/counts.ts";
import { More, Panel } from "../../../parts/basic/basic.tsx";
import { Empty } from "../../../parts/basic/states.tsx";
import { Table } from "../../../parts/lists/table.tsx";
import { href } from "../../../router/router.ts";
import { runningColumns, Unread } from "../../jobs/running.tsx";
import { t } from "../texts.ts";

const SHOWN = 8;

export function RunningNow() {
  const jobs = listedJobs.value.flatMap((id) => activeJobs.get(id)?.value ?? []);
  const running = jobs.filter((job) => jobState(job) === "run").map(({ id }) => id);
  const waiting = jobs.length - running.length;
  return (
    <Panel
      title={t("running")}
      class="g-run"
      count={running.length}
      note={waiting > 0 ? t("wait", { n: waiting }) : undefined}
      more={<More href={href("/jobs")}>{t("allJobs")}</More>}
    >
      {jobsRead.data.value === undefined ? (
        <Unread />
      ) : running.length === 0 ? (
        <Empty>{t("nothingRuns")}</Empty>
      ) : (
        <Table label={t("runningTable")} columns={runningColumns} rows={running.slice(0, SHOWN)} keyOf={(id) => id} />
      )}
    </Panel>
  );
}
