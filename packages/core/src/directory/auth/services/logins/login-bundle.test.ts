import { expect, test } from "vitest";
import { cradleProbe, startEngine } from "../../../../../test/engine.ts";

test("plugins add members to a login, as far as the account may see them", async () => {
  const probe = cradleProbe();
  const acme = { id: "acme", atLogin: async ({ id }: { readonly id: string }) => ({ acme: `shown to ${id}` }) };
  await using _engine = await startEngine({ plugins: [probe.plugin, acme] });
  const login = await probe.cradle().loginBundle.collect("admin");
  expect(login).toMatchObject({ acme: "shown to admin", activeAlerts: {}, internalJobs: {}, tags: expect.any(Array) });
});
