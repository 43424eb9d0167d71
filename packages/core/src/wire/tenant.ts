import * as z from "zod";
import { InputError } from "../kernel/errors/errors.ts";

/** One word, so that a search finds it whole. */
export const TENANT = /^[a-z0-9_]{1,64}$/;

/**
 * Tenant of a record, where the host serves several (docs/contract/records.md#tenant); absent, null or empty = none.
 */
export const tenantField = { tenant: z.string().nullish() };

interface Owned {
  readonly tenant?: unknown;
}

const isNone = (tenant: unknown): boolean => tenant === undefined || tenant === null || tenant === "";

export const isTenant = (tenant: unknown): boolean =>
  isNone(tenant) || (typeof tenant === "string" && TENANT.test(tenant));

/** Tenant of a derived record: its source's. */
export const tenantOf = ({ tenant }: Owned): { tenant?: string } =>
  typeof tenant === "string" && tenant !== "" ? { tenant } : {};

/** Terms of the tenant, for an index. */
export const tenantTerm = (record: Owned): string[] => Object.values(tenantOf(record));

export function requireTenant(record: object): void {
  if (!isTenant((record as Owned).tenant)) throw new InputError("Malformed parameter: tenant");
}
