import { sha256Hex } from "../../../src/lib/secrecy/hash.ts";
import { downloadToken, streamToken } from "../../../src/work/jobs/access/rules/tokens.ts";
import { activeJob, eventMembers, finalJob, make, plain, type Sample, SECRET_KEY } from "../sample-makers.ts";
import { MARK } from "../world/world.ts";

/** Samples of events and jobs. */
export const WORK_SAMPLES: Readonly<Record<string, Sample>> = {
  get_events: plain(),
  get_event: plain({ id: "ev" }),
  get_event_history: plain({ id: "ev" }),
  preview_event: plain({ id: "ev" }),
  explain_event_run: plain({ id: "ev", minute: 1_800_000_000 }),
  get_upcoming_runs: plain({ id: "ev" }),
  // The key is the end of the path, which in-process calls do not have.
  magic: { ...plain(), code: "api" },
  form: { ...plain(), code: "api" },
  form_config: { ...plain(), code: "api" },
  create_event: make(({ fresh }) => ({ id: fresh("e"), ...eventMembers })),
  update_event: make(async ({ event }) => ({ id: await event(), notes: "Changed" })),
  delete_event: make(async ({ event }) => ({ id: await event() })),
  run_event: plain({ id: "ev" }),

  get_job: plain({ id: "jf" }),
  get_jobs: plain({ ids: ["jf"], verbose: true }),
  get_active_jobs: make(async ({ jobs, fresh }) => {
    await jobs.active(fresh("ja"), { event: "ev", category: "alpha", targets: ["ga"], label: MARK });
    return {};
  }),
  get_job_log: plain({ id: "jf" }),
  tail_live_job_log: make(async (world) => ({ id: await activeJob(world) })),
  download_job_log: make(() => ({ id: "jf", t: downloadToken("jf", SECRET_KEY) }), { token: () => ({}) }),
  view_job_log: make(() => ({ id: "jf", t: downloadToken("jf", SECRET_KEY) }), { token: () => ({}) }),
  stream_job: make(() => ({ id: "jf" }), { token: () => ({ token: streamToken("jf", SECRET_KEY) }) }),
  abort_job: make(async (world) => ({ id: await activeJob(world) })),
  delete_job: make(async (world) => ({ id: await finalJob(world) })),
  search_jobs: plain({ limit: 100, verbose: true }),
  get_active_job_summary: make(
    async ({ jobs, fresh }) => {
      await jobs.active(fresh("ja"), { event: "evs", category: "alpha", targets: ["ga"] });
      return {};
    },
    { mark: "evs" },
  ),
  get_workflow_job_summary: make(
    async ({ jobs, fresh }) => {
      const workflow = { job: "w", node: "marked_node" };
      await jobs.active(fresh("ja"), { event: "ev", category: "alpha", targets: ["ga"], workflow });
      return {};
    },
    { mark: "marked_node" },
  ),
  flush_event_queue: make(async ({ event }) => ({ id: await event() })),
  resume_job: make(async (world) => {
    const actions = [{ enabled: true, type: "suspend", condition: "success", code: 0, date: 1, active: true }];
    return { id: await activeJob(world, undefined, { state: "complete", suspended: true, actions }) };
  }),
  update_job: make(async (world) => ({ id: await finalJob(world), label: "Changed" })),
  manage_job_tags: make(async (world) => ({ id: await finalJob(world), tags: [] })),
  manage_job_tickets: make(async (world) => ({ id: await finalJob(world), tickets: ["t1"] })),
  job_skip_delay: make(async (world) => ({ id: await activeJob(world, undefined, { state: "start_delay" }) })),
  job_toggle_notify_me: make(async (world) => ({ id: await activeJob(world) }), {
    admitted: { code: "job", description: "User has no email address set." },
  }),
  delete_job_file: make(async ({ jobs, fresh }) => {
    const id = fresh("jd");
    const path = `files/jobs/${id}/x/a.txt`;
    await jobs.final(id, { event: "ev", category: "alpha", targets: ["ga"], files: [{ path }] });
    return { id, path };
  }),
  bulk_search_delete_jobs: plain({ query: "code:nothing" }),
  upload_job_input_files: { ...plain(), code: "file" },
  upload_files: { ...plain(), code: "file" },
  finish_job: make(
    async (world) => {
      const id = await activeJob(world, "sa");
      return { id, auth: sha256Hex(id + SECRET_KEY), job: { code: 0 } };
    },
    { token: () => ({}) },
  ),
  upload_job_file: {
    ...make(
      async (world) => {
        const id = await finalJob(world);
        return { id, auth: sha256Hex(id + SECRET_KEY) };
      },
      { token: () => ({}) },
    ),
    code: "job",
  },
};
