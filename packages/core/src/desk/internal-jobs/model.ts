import * as z from "zod";
import { looseObject } from "../../wire/schemas/objects.ts";

/** Subject of an internal job; `maint` stands for work on the whole installation. */
export const InternalJobType = z.enum(["maint", "db", "storage", "timeline", "logs", "user"]);
export type InternalJobType = z.infer<typeof InternalJobType>;

/** An internal job that runs, as administrators see it (docs/contract/administration.md#internal-jobs). */
export const InternalJobRow = looseObject(() => ({
  id: z.string(),
  title: z.string(),
  type: InternalJobType,
  /** The caller who started it: user name, id of an API key, or "system". */
  username: z.string(),
  /** Unix seconds. */
  started: z.number(),
  /** 0 to 1. */
  progress: z.number(),
  /** Counters that the work reports, by name. */
  stats: z.record(z.string(), z.number()),
  params: z.record(z.string(), z.unknown()),
  /** True = the person who started it is not notified of its end. */
  quiet: z.boolean(),
  /** Address for the report. */
  email: z.string().optional(),
  /** Markdown; the report so far. */
  details: z.string().optional(),
}));
export type InternalJobRow = z.infer<typeof InternalJobRow>;

/** Specification of work to run in the background. */
export interface InternalJobSpec {
  /** Id that the caller has already given out; absent = the engine generates one. */
  readonly id?: string;
  readonly title: string;
  readonly type: InternalJobType;
  readonly username: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly quiet?: boolean;
  readonly email?: string | undefined;
  /** At most one exclusive job runs at a time. */
  readonly exclusive?: boolean;
  /** Runs after the work, and also when the work never began because another exclusive job came first. */
  readonly cleanUp?: () => Promise<void>;
}

/** Handle that the work of an internal job is given. */
export interface InternalJob {
  readonly id: string;
  /** Aborts when the engine stops, and for an exclusive job when another node has taken over. */
  readonly signal: AbortSignal;
  /** From 0 to 1. */
  progress(share: number): void;
  stat(name: string, value: number): void;
  /** Adds Markdown to the report. */
  report(markdown: string): void;
}
