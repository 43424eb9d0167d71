import { expect, test } from "vitest";
import { isTenant, requireTenant, tenantOf, tenantTerm } from "./tenant.ts";

test.each([undefined, null, "", "acme", "a_1", "x".repeat(64)])("%j may be a tenant", (tenant) => {
  expect(isTenant(tenant)).toBe(true);
  expect(() => requireTenant({ tenant })).not.toThrow();
});

test.each(["Acme", "a-b", "a b", "x".repeat(65), 5, ["acme"], {}])("%j may not be a tenant", (tenant) => {
  expect(isTenant(tenant)).toBe(false);
  expect(() => requireTenant({ tenant })).toThrow("Malformed parameter: tenant");
});

test("a derived record has the tenant of its source, or none", () => {
  expect(tenantOf({ tenant: "acme" })).toEqual({ tenant: "acme" });
  expect([{}, { tenant: null }, { tenant: "" }].map(tenantOf)).toEqual([{}, {}, {}]);
  expect(tenantTerm({ tenant: "acme" })).toEqual(["acme"]);
  expect(tenantTerm({ tenant: null })).toEqual([]);
});
