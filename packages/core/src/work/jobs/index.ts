import type { ConfigOf } from "../../kernel/config/config.ts";
import type { Cradle } from "../../kernel/container.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { type ActiveJobs, createActiveJobs } from "./access/active-jobs.ts";
import { createReplayedJobs } from "./access/replayed-jobs.ts";
import { type ActionRunner, createActionRunner } from "./actions/action-runner.ts";
import { fetchAction, storeAction } from "./actions/bucket.ts";
import { deleteAction, disableAction, labelAction, tagAction } from "./actions/own-job.ts";
import { runEventAction } from "./actions/run-event.ts";
import { suspendAction } from "./actions/suspension.ts";
import {
  activeJobCollection,
  jobCollection,
  jobLaunchCollection,
  jobLogChunkCollection,
  jobSearch,
  jobStatsCollection,
  jobTimelinesCollection,
  serverPlaceCollection,
} from "./collection.ts";
import type { jobsConfig, jobsRetention } from "./config.ts";
import type { JobEvents } from "./events.ts";
import { createLaunchRoom, type LaunchRoom } from "./launch/launch-room.ts";
import { createLauncher, type JobLauncher } from "./launch/launcher.ts";
import { createJobEngine, type JobEngine } from "./lifecycle/engine.ts";
import { finishJob } from "./operations/agents/finish.ts";
import { uploadJobFile } from "./operations/agents/upload.ts";
import { bulkSearchDeleteJobs } from "./operations/bulk.ts";
import { fireJobWebHook } from "./operations/fire-web-hook.ts";
import { flushEventQueue, jobSkipDelay, jobToggleNotifyMe, resumeJob } from "./operations/queue.ts";
import { deleteJobFile, uploadJobInputFiles } from "./operations/reading/job-files.ts";
import { downloadJobLog, getJobLog, tailLiveJobLog, viewJobLog } from "./operations/reading/logs.ts";
import { getActiveJobs, getJob, getJobs } from "./operations/reading/read.ts";
import { searchJobs } from "./operations/reading/search.ts";
import { streamJob } from "./operations/reading/stream.ts";
import { getActiveJobSummary, getWorkflowJobSummary } from "./operations/reading/summaries.ts";
import { manageJobTags, manageJobTickets, updateJob } from "./operations/update.ts";
import { abortJob, deleteJob } from "./operations/write.ts";
import { hasNoActiveJobs } from "./records.ts";
import { createJobInbox, type JobInbox } from "./reports/inbox.ts";
import { jobTransfer } from "./transfer.ts";
import { removeFinalJob } from "./upkeep/deletion.ts";
import { JOB_WORKERS } from "./upkeep/workers.ts";

declare module "../../kernel/config/config.ts" {
  interface Config extends ConfigOf<typeof jobsConfig> {}
  interface RetentionConfig extends ConfigOf<typeof jobsRetention> {}
}

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends JobEvents {}
}

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly jobs: JobEngine;
    readonly activeJobs: ActiveJobs;
    readonly jobInbox: JobInbox;
    readonly launcher: JobLauncher;
    readonly launchRoom: LaunchRoom;
    readonly actionRunner: ActionRunner;
  }
  interface KeyedServices {
    readonly jobs: true;
    readonly activeJobs: true;
  }
}

const isAlone = (_now: number, { storage }: Pick<Cradle, "storage">): boolean => !storage.coordination.shared;

export const jobs = definePlugin({
  id: "jobs",
  after: ["auth", "activity", "tags", "categories", "files", "buckets"],
  collections: [
    activeJobCollection,
    jobCollection,
    jobLogChunkCollection,
    jobLaunchCollection,
    jobTimelinesCollection,
    jobStatsCollection,
    serverPlaceCollection,
  ],
  transfer: jobTransfer,
  searchTables: { jobs: { collection: jobCollection, table: jobSearch, remove: removeFinalJob } },
  operations: [
    getJob,
    getJobs,
    getActiveJobs,
    getActiveJobSummary,
    getWorkflowJobSummary,
    searchJobs,
    getJobLog,
    downloadJobLog,
    viewJobLog,
    tailLiveJobLog,
    streamJob,
    abortJob,
    deleteJob,
    finishJob,
    uploadJobFile,
    uploadJobInputFiles,
    deleteJobFile,
    bulkSearchDeleteJobs,
    updateJob,
    manageJobTags,
    manageJobTickets,
    resumeJob,
    flushEventQueue,
    jobSkipDelay,
    jobToggleNotifyMe,
    fireJobWebHook,
  ],
  actionTypes: {
    run_event: runEventAction,
    tag: tagAction,
    label: labelAction,
    disable: disableAction,
    delete: deleteAction,
    suspend: suspendAction,
    store: storeAction,
    fetch: fetchAction,
  },
  services: {
    jobs: createJobEngine,
    activeJobs: createActiveJobs,
    jobInbox: createJobInbox,
    launcher: createLauncher,
    launchRoom: createLaunchRoom,
    actionRunner: createActionRunner,
    replayedJobs: createReplayedJobs,
  },
  workers: JOB_WORKERS,
  loops: [
    {
      name: "jobs.live",
      everySec: 1,
      on: "every-node",
      async run(_now, { jobs: engine }) {
        await engine.watch.flush();
        await engine.stats.flush();
        await engine.watch.limits();
      },
      isIdle: (_now, { jobs: engine }) => engine.watch.isIdle() && engine.stats.isIdle(),
    },
    {
      name: "jobs.watch",
      everySec: 1,
      on: "leader",
      run: (_now, { jobs: engine }) => engine.watch.waiting(),
      isIdle: (_now, { storage }) => hasNoActiveJobs(storage),
    },
    {
      name: "jobs.places",
      everySec: 3,
      on: "every-node",
      run: (now, { jobs: engine }) => engine.places.read(now),
      isIdle: isAlone,
    },
    {
      name: "jobs.nodes",
      everySec: 5,
      on: "leader",
      run: (_now, { jobs: engine }) => engine.places.look(),
      isIdle: isAlone,
    },
    {
      name: "jobs.maintenance",
      everySec: 60,
      on: "leader",
      run: (now, { jobs: engine }, signal) => engine.maintain(now, signal),
    },
    { name: "jobs.prune", everySec: 3600, on: "leader", run: (now, { jobs: engine }) => engine.watch.prune(now) },
  ],
  maintenance: {
    "Finished jobs and counters": (now, { jobs: engine }, signal) => engine.maintain(now, signal, true),
  },
  async start({ jobs: engine, launchRoom }) {
    await launchRoom.recover();
    await engine.recover();
  },
  stop: ({ jobs: engine }) => engine.stop(),
  // Calls and queued work count until then.
  close: ({ jobs: engine }) => engine.stats.flush(),
});
