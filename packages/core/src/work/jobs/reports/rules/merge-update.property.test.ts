import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AgentMessage } from "../../../../ports/agents/agent-transport.ts";
import { acceptUpdate } from "./merge-update.ts";

const known = {
  job: { id: "j1", event: "e1", state: "active", server: "s1", started: 100, progress: 0, params: { a: 1 } },
  details: { activity: [] },
};

const asIs = (text: string): string => text;

const accept = (update: unknown, before: typeof known = known) => acceptUpdate(before, update, asIs);

describe("any value as an update", () => {
  test("is read without an error, and changes no prototype", () => {
    const frozen = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));
    fc.assert(
      fc.property(
        fc.anything({ withNullPrototype: true, withBigInt: true, withSparseArray: true, withDate: true }),
        (update) => {
          accept(update);
          accept({
            push: update,
            procs: update,
            conns: update,
            html: update,
            data: update,
            files: update,
            table: update,
          });
        },
      ),
      { numRuns: 500 },
    );
    expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype))).toBe(frozen);
  });

  test("every accepted update can be stored as JSON", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (update) => {
        const { job, details } = accept(update);
        expect(JSON.parse(JSON.stringify({ job, details }))).toEqual(JSON.parse(JSON.stringify({ job, details })));
        for (const member of ["id", "event", "server", "started", "state", "params"])
          expect(job).not.toHaveProperty(member);
      }),
    );
  });

  test.each(["shell", "failure", "abort"])("the captured updates of the %s job lose nothing", (name) => {
    const url = new URL(`../../../../testing/fixtures/jobs-${name}.ndjson`, import.meta.url);
    const lines = readFileSync(url, "utf8").trim().split("\n");
    const updates = lines
      .map((line): AgentMessage => JSON.parse(line))
      .filter(({ cmd }) => cmd === "jobs")
      .flatMap(({ data }) => Object.entries(data as Record<string, object>));
    expect(updates.length).toBeGreaterThan(0);
    for (const [id, update] of updates)
      expect(acceptUpdate({ job: { id }, details: {} }, update, asIs).dropped).toEqual([]);
  });
});
