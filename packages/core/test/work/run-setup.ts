import { launched, startJobs } from "../../src/testing/test-jobs.ts";

export type Members = Record<string, unknown>;

/** `run_event` with the real jobs domain; tests of other operations cover its calls of the launcher. */
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
    /** Runs an event and returns the job as the agent received it. */
    async run(input: Members) {
      await jobs.signalbox.api.runEvent(input as never);
      await jobs.settle();
      const sent = launched(server).at(-1);
      if (!sent) throw new Error("Nothing was launched");
      return sent;
    },
  };
}
