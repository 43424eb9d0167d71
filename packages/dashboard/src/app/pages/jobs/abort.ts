import { act } from "../../data/calls/act.ts";
import { api } from "../../data/calls/session.ts";
import { jobName } from "../../data/jobs/job-name.ts";
import type { ActiveJob } from "../../data/records/counts.ts";
import { confirm } from "../../parts/basic/dialog.tsx";
import { duration, now, percent } from "../../texts/format.ts";
import { t } from "./texts.ts";

/** Asks for confirmation, then aborts a job. */
export async function abort(job: Pick<ActiveJob, "id" | "event" | "started" | "progress">): Promise<void> {
  const name = jobName(job);
  const values = { name, time: duration(now.peek() - job.started), percent: percent((job.progress ?? 0) * 100) };
  const words = { title: t("sure", values), text: t("sureWhy", values), verb: t("abort"), keep: t("letRun") };
  if (await confirm(words))
    await act(`abort ${job.id}`, { run: () => api.abortJob({ id: job.id }), done: t("aborted", { name }) });
}
