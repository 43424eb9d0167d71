import * as z from "zod";
import { InputError } from "../kernel/errors/errors.ts";

/** A single word, so that a search can match it exactly. */
export const TENANT = /^[a-z0-9_]{1,64}$/;

/** Tenant of a record, for hosts that serve several (docs/contract/records.md#tenant); absent, null or empty = none. */
export const tenantField = { tenant: z.string().nullish() };

interface Owned {
  readonly tenant?: unknown;
}

const isNone = (tenant: unknown): boolean => tenant === undefined || tenant === null || tenant === "";

export const isTenant = (tenant: unknown): boolean =>
  isNone(tenant) || (typeof tenant === "string" && TENANT.test(tenant));

/** Tenant of a derived record: the tenant of its source. */
export const tenantOf = ({ tenant }: Owned): { tenant?: string } =>
  typeof tenant === "string" && tenant !== "" ? { tenant } : {};

/** Index terms of the tenant. */
export const tenantTerm = (record: Owned): string[] => Object.values(tenantOf(record));

export function requireTenant(record: object): void {
  if (!isTenant((record as Owned).tenant)) throw new InputError("Malformed parameter: tenant");
}
