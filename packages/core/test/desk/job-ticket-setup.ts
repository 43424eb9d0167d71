import { onTestFinished } from "vitest";
import { activityCollection } from "../../src/directory/activity/collection.ts";
import { type JobsOptions, startJobs } from "../../src/testing/test-jobs.ts";

export type Members = Record<string, unknown>;

export async function setUp(options: JobsOptions = {}) {
  const jobs = await startJobs({ ...options, config: { tz: "UTC", ...options.config } });
  onTestFinished(() => jobs.signalbox.stop());
  const { api } = jobs.signalbox;
  for (const id of ["nightly", "db"]) await api.createTag({ id, title: id });
  const server = await jobs.connect();
  const end = async (id: string, update: Members) => {
    server.send("jobs", { [id]: { state: "complete", complete: true, code: 0, ...update } });
    await jobs.settle();
    await jobs.settle();
    return (await api.getJob({ id })).job;
  };
  return {
    ...jobs,
    api,
    server,
    end,
    async run(event: string, update: Members = {}, log = "") {
      const { id } = await api.runEvent({ id: event });
      await jobs.settle();
      if (log !== "") server.send("job_log", { id, text: log });
      return end(id, update);
    },
    tickets: async () => {
      const { rows } = await api.searchTickets({ query: "*", limit: 100, sort_by: "num", sort_dir: 1 });
      return rows as Members[];
    },
    activity: async (action: string) =>
      (await jobs.storage.read((tx) => tx.collection(activityCollection).list())).filter(
        (row) => row.action === action,
      ),
  };
}

export const ticket = (condition: string, members: Members = {}) => ({
  enabled: true,
  condition,
  type: "ticket",
  ticket_type: "issue",
  ticket_assignees: ["admin"],
  ticket_tags: ["db"],
  ...members,
});

export const failed = { code: 3, description: "No *disk* <b>left</b>" };
