import { definePlugin } from "../../kernel/plugin.ts";
import { deleteAction, disableAction, labelAction, tagAction } from "./action-types/own-job.ts";
import { runEventAction } from "./action-types/run-event.ts";
import {
  activeJobCollection,
  eventHistoryCollection,
  jobCollection,
  jobLaunchCollection,
  jobLogChunkCollection,
  jobTimelinesCollection,
  launchRateCollection,
} from "./collection.ts";
import { downloadJobLog, getJobLog, tailLiveJobLog, viewJobLog } from "./operations/logs.ts";
import { getActiveJobs, getJob, getJobs } from "./operations/read.ts";
import { streamJob } from "./operations/stream.ts";
import { abortJob, deleteJob } from "./operations/write.ts";
import { createActionRunner } from "./services/action-runner.ts";
import { createJobEngine } from "./services/engine.ts";
import { createJobInbox } from "./services/inbox.ts";
import { createLauncher } from "./services/launcher.ts";
import { JOB_WORKERS } from "./services/workers.ts";

export const jobs = definePlugin({
  id: "jobs",
  after: ["auth", "activity", "tags", "categories"],
  collections: [
    activeJobCollection,
    jobCollection,
    jobLogChunkCollection,
    jobLaunchCollection,
    jobTimelinesCollection,
    launchRateCollection,
    eventHistoryCollection,
  ],
  operations: [
    getJob,
    getJobs,
    getActiveJobs,
    getJobLog,
    downloadJobLog,
    viewJobLog,
    tailLiveJobLog,
    streamJob,
    abortJob,
    deleteJob,
  ],
  actionTypes: {
    run_event: runEventAction,
    tag: tagAction,
    label: labelAction,
    disable: disableAction,
    delete: deleteAction,
  },
  services: {
    jobs: createJobEngine,
    jobInbox: createJobInbox,
    launcher: createLauncher,
    actionRunner: createActionRunner,
  },
  workers: JOB_WORKERS,
  loops: [
    {
      name: "jobs.live",
      everySec: 1,
      on: "every-node",
      async run(_now, { jobs: engine }) {
        await engine.watch.flush();
        await engine.watch.limits();
      },
    },
    { name: "jobs.watch", everySec: 1, on: "leader", run: (_now, { jobs: engine }) => engine.watch.waiting() },
    { name: "jobs.prune", everySec: 3600, on: "leader", run: (now, { jobs: engine }) => engine.watch.prune(now) },
  ],
  start: ({ jobs: engine }) => engine.recover(),
  stop: ({ jobs: engine }) => engine.stop(),
});
