import { launched, startJobs } from "../../src/testing/test-jobs.ts";

export type Members = Record<string, unknown>;

/** run_event with the jobs domain behind it; its calls of the launcher are tested beside the other operations. */
export async function setUp(config: Members = {}) {
  const jobs = await startJobs({ config });
  const server = await jobs.connect();
  return {
    ...jobs,
    ...jobs.signalbox,
    server,
    put: (key: string, text = "text") =>
      jobs.blobs.put(
        key,
        (async function* () {
          yield Buffer.from(text);
        })(),
      ),
    /** The job as the agent got it. */
    async run(input: Members) {
      await jobs.signalbox.api.runEvent(input as never);
      await jobs.settle();
      const sent = launched(server).at(-1);
      if (!sent) throw new Error("Nothing was launched");
      return sent;
    },
  };
}
