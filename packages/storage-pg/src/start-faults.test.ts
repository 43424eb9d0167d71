import { createSignalbox } from "@signalbox/core";
import { expect, test } from "vitest";
import { pgStorage } from "./index.ts";

const CHECK =
  "Check that the address in connectionString, or of the pool, is right, that the server runs, and that its account may connect.";

test.each([
  [
    "a port where nothing listens",
    "postgres://ann:sesame@127.0.0.1:1/ops",
    /^The storage cannot be opened: the PostgreSQL database ops at 127\.0\.0\.1:1 cannot be reached \(.*ECONNREFUSED.*\)\. /,
  ],
  [
    "a folder without a socket",
    "postgres://ann:sesame@%2Fnowhere/ops",
    /^The storage cannot be opened: the PostgreSQL database ops at \/nowhere cannot be reached \(.*\)\. /,
  ],
])(
  "the start names the wrong address of %s, what to do, and no password",
  async (_what, connectionString, sentence) => {
    const engine = createSignalbox({ storage: pgStorage({ connectionString }), secretKey: "a key of the tests" });
    const error = (await engine.start().catch((thrown: unknown) => thrown)) as Error;
    await engine.stop();
    expect(error).toMatchObject({ code: "storage", fault: "gone", message: expect.stringMatching(sentence) });
    expect(error.message).toContain(CHECK);
    expect(JSON.stringify([error.message, error])).not.toContain("sesame");
  },
);
