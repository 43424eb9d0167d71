import type { ActionRun } from "../../../src/kernel/plugins/action-type.ts";
import { definePlugin } from "../../../src/kernel/plugins/plugin.ts";
import type { TestJobs } from "../../../src/testing/test-jobs.ts";

export type Members = Record<string, unknown>;

export const note = (condition: string, text: string, members: Members = {}) => ({
  enabled: true,
  condition,
  type: "note",
  text,
  ...members,
});

export const done = (id: string, update: Members = {}) => ({
  [id]: { state: "complete", complete: true, code: 0, ...update },
});

/** An action type that records its calls. */
export function noting(run: (run: ActionRun) => Promise<unknown> = async () => undefined) {
  const noted: string[] = [];
  const plugin = definePlugin({
    id: "note",
    actionTypes: {
      note: {
        applies: ["job"],
        target: (action) => String(action["text"]),
        async run(given) {
          noted.push(String(given.action["text"]));
          await run(given);
          return { code: 0, description: "Noted" };
        },
      },
    },
  });
  return { noted, plugin };
}

/** Configures actions of the type; the configuration is needed because events only accept the contract's own types. */
export const universal = (...actions: Members[]) => ({ job_universal_actions: { default: actions as never } });

export async function run(jobs: TestJobs, update: Members = {}, members: Members = {}) {
  const server = await jobs.connect();
  const { id } = await jobs.signalbox.api.runEvent({ id: await jobs.event(), ...members });
  await jobs.settle();
  server.send("jobs", done(id, update));
  await jobs.settle();
  return (await jobs.signalbox.api.getJob({ id })).job;
}
