/**
 * A library plugin from outside the packages: one operation, one collection, one action type and one function for
 * expressions. The operation is typed in `signalbox.api` and described in OpenAPI.
 */
import assert from "node:assert/strict";
import { localAgent } from "@signalbox/adapters/local-agent";
import { createSignalbox, defineEvent, memoryStorage } from "@signalbox/core";
import { credentials, defineCollection, defineCommand, definePlugin, type StoredRecord } from "@signalbox/core/plugin";
import { createRouter } from "@signalbox/http-hono";
import * as z from "zod";

interface Deployment extends StoredRecord {
  version: string;
  by: string;
}
const deployments = defineCollection<Deployment>({
  name: "acme_deployments",
  noun: "Deployment",
  columns: { version: { type: "text", read: (record) => record.version } },
});

const recordDeployment = defineCommand({
  name: "record_deployment",
  method: "POST",
  summary: "Remember that a version went live.",
  access: credentials,
  input: z.looseObject({ version: z.string().regex(/^v\d+/) }),
  output: z.object({ deployment: z.object({ id: z.string(), version: z.string(), by: z.string() }) }),
  async handler({ version }, { actor, audit, ids, tx }) {
    const deployment = { id: ids.short("d"), version, by: actor.id };
    await tx.collection(deployments).insert(deployment);
    audit("deployment_create", { deployment });
    return { deployment };
  },
});

export const acme = definePlugin({
  id: "acme.deployments",
  collections: [deployments],
  operations: [recordDeployment],
  functions: { major: (version) => Number.parseInt(String(version).replace(/^v/, ""), 10) },
  actionTypes: {
    "acme.page": {
      applies: ["job", "alert"],
      target: (action) => String(action["pager"]),
      run: async ({ action }) => ({ code: 0, description: `Paged ${action["pager"]}` }),
    },
  },
});

const signalbox = createSignalbox({
  storage: memoryStorage(),
  agents: localAgent(),
  secretKey: "only for this example",
  plugins: [acme],
  events: [
    defineEvent({
      id: "roll_out",
      title: "Roll out",
      params: z.object({ branch: z.string() }),
      // Uses the plugin's function in a template that is expanded at the launch.
      defaults: { branch: "release-{{major('v2.1')}}" },
      actions: [{ enabled: true, condition: "success", type: "acme.page", pager: "the people on call" }],
      run: ({ params, log }) => log(`Rolled out ${params.branch}`),
    }),
  ],
  config: { debug: true },
});
await signalbox.start();

const { deployment } = await signalbox.api.recordDeployment({ version: "v2.1" });
const response = await createRouter(signalbox).request("/api/openapi.json");
const openapi = (await response.json()) as { paths: object };
assert.ok("/api/app/record_deployment/v1" in openapi.paths);
console.log(`Recorded ${deployment.version} as ${deployment.id} by ${deployment.by}; it is in OpenAPI too.`);

const { id } = await signalbox.api.runEvent({ id: "roll_out" });
let { job } = await signalbox.api.getJob({ id });
for (; !job.final; { job } = await signalbox.api.getJob({ id })) await new Promise((next) => setTimeout(next, 50));
const actions = job.actions as { readonly type: string; readonly description?: string }[];
const paged = actions.find(({ type }) => type === "acme.page");
console.log(`${String(job.output).trimEnd()}, and then: ${paged?.description}.`);
await signalbox.stop();
