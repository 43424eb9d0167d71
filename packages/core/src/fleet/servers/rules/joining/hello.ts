import * as z from "zod";
import { isLargeData } from "../../../../lib/json/json-size.ts";
import { isReservedWord } from "../../../../wire/fields/reserved.ts";
import { looseObject, object } from "../../../../wire/schemas/objects.ts";
import { illegalKey, isTooLarge } from "../user-data.ts";

const MAX_INFO_BYTES = 262_144;

/** First message of an agent (docs/contract/satellites.md#handshake). Its bootstrap data are further members. */
export const Hello = looseObject(() => ({
  hostname: z.string().min(1).max(255),
  id: z
    .string()
    .regex(/^[a-z0-9_]{0,64}$/)
    .refine((id) => !isReservedWord(id))
    .default(""),
  info: z
    .record(z.string(), z.unknown())
    .refine((info) => !isLargeData(info, MAX_INFO_BYTES))
    .default({}),
}));
export type Hello = z.infer<typeof Hello>;

/** Reduces a hostname to lower-case ASCII word characters, dots and hyphens; empty when nothing is left. */
export function normaliseHostname(hostname: string): string {
  return hostname
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\w.-]/g, "");
}

const groupList = () =>
  z.preprocess(
    (value) => (typeof value === "string" ? value.split(/,\s*/).filter(Boolean) : value),
    z.array(z.string()).max(1000),
  );
const flag = z.union([z.boolean(), z.literal(0), z.literal(1)]).transform(Boolean);

/** Bootstrap members that are accepted; malformed ones count as absent (docs/contract/servers.md#arrival). */
const Accepted = object(() => ({
  title: z
    .string()
    .max(256)
    .regex(/^[^<>]*\S[^<>]*$/),
  enabled: flag,
  icon: z.string().regex(/^[\w-]+$/),
  groups: groupList(),
  maxJobs: z.int().nonnegative(),
  userData: z.record(z.string(), z.unknown()).refine((data) => illegalKey(data) === undefined && !isTooLarge(data)),
}));

export interface Initial {
  readonly title?: string;
  readonly enabled?: boolean;
  readonly icon?: string;
  readonly groups?: readonly string[];
  readonly maxJobs?: number;
  readonly userData?: Record<string, unknown>;
}

export function initialMembers(hello: Hello): Initial {
  const initial: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(Accepted.shape)) {
    const parsed = schema.safeParse(hello[name]);
    if (parsed.success) initial[name] = parsed.data;
  }
  return initial;
}
