/** Keys limited to a category or to groups try to reach foreign records, which hold markers. */
import { hostileInput } from "../inputs/from-schema.ts";
import { type LimitedKey, makeLimitedKeys } from "../reach/keys.ts";
import { buildSite, type Site } from "../reach/site.ts";
import { tries } from "../reach/tries.ts";
import { jsonCall } from "../server/http.ts";
import type { Attack, Part, Stage } from "../stage/attack.ts";
import { describeOperations } from "../stage/described.ts";

const INPUTS = { short: 1, long: 60 };
/** Operations that, if they worked, would delete the targets of the others. */
const isLast = (name: string): boolean => /^(?:delete|multi_update|bulk)/.test(name);

async function everything(stage: Stage, key: LimitedKey, site: Site): Promise<void> {
  const ids = {
    ...stage.ids,
    event: ["foreign_event", "own_event"],
    category: ["foreign_category"],
    group: ["foreign_group"],
    server: ["srv_foreign"],
    job: [site.foreign.job],
    ticket: [site.foreign.ticket],
  };
  const operations = (await describeOperations(stage)).toSorted(
    (a, b) => Number(isLast(a.name)) - Number(isLast(b.name)),
  );
  for (const operation of operations)
    await Promise.all(
      Array.from({ length: stage.short ? INPUTS.short : INPUTS.long }, async (_, index) => {
        const { method, query, contentType, body } = hostileInput(operation, `${stage.seed}/${key.name}`, index, ids);
        const headers = { ...key.headers, ...(contentType ? { "Content-Type": contentType } : {}) };
        const ask = {
          method,
          path: `${operation.path}${query}`,
          headers,
          who: key.name,
          ...(body === undefined ? {} : { body }),
        };
        await stage.ask(ask, { forbidden: key.forbidden, ofSystem: true, fails: operation.name === "error" });
      }),
    );
}

const SETTLE_MS = 800;

const attack: Attack = {
  name: "limited keys try everything against foreign records",
  by: "callers",
  short: true,
  async run(stage) {
    const site = await buildSite(stage);
    const keys = await makeLimitedKeys(stage);
    for (const key of keys) {
      await site.restore();
      const before = { jobs: await site.jobsOf("foreign_event"), there: site.launchedThere() };
      for (const [operation, input] of tries(site.foreign))
        await stage.ask(
          { ...jsonCall(operation, input, key.headers), who: key.name },
          { forbidden: key.forbidden, ofSystem: true },
        );
      await everything(stage, key, site);
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      const jobs = (await site.jobsOf("foreign_event")) - before.jobs;
      const there = site.launchedThere() - before.there;
      const isGroupLimited = key.name.includes("group");
      stage.must(jobs === 0, `a key ${key.name} started ${jobs} jobs of a foreign event`);
      if (isGroupLimited) stage.must(there === 0, `a key ${key.name} started ${there} jobs on a foreign server`);
    }
    site.close();
  },
};

export const reach: Part = { id: "reach", title: "Limited keys and foreign records", attacks: [attack] };
