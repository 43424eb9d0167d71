import type * as z from "zod";
import { Job, JobDetails } from "../model.ts";

/**
 * Members that a job may have (docs/contract/jobs.md#record), whether event, launch, engine, agent or plugin writes them: names,
 * and schemas that list them.
 */
export const JOB_MEMBERS: readonly (string | z.ZodType)[] = [
  Job,
  JobDetails,
  ...["event_title", "event_revision", "stype", "splugin", "parent", "icon", "notes", "fields", "silence_alerts"],
  ...["command", "script", "uid", "gid", "kill", "runner", "env", "cwd", "log_file", "pid", "rpid", "reconnected"],
  ...["status", "disk", "net", "procs", "conns", "timelines", "table", "html", "perf", "label", "redraw", "output"],
  ...["suspended", "test", "test_actions", "test_limits", "test_conditions", "invisible", "ephemeral", "workflow"],
  ...["plabel", "picon", "update_event", "delete_event", "clear_alert", "serverData", "workflowData", "wfJobData"],
];
