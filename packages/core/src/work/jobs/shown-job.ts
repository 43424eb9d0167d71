import * as z from "zod";
import { looseObject } from "../../wire/schemas/objects.ts";
import { Job } from "./model.ts";

/** A file that a job left; `path` is relative to the mount: "files/jobs/…". */
const JobFile = looseObject(() => ({ filename: z.string(), path: z.string(), size: z.number() }));

/** A job as operations return it: callers may exclude members, and lists leave out the large ones. */
export const ShownJob = looseObject(() => ({
  ...Job.partial().shape,
  id: z.string(),
  event_title: z.string().optional(),
  /** What the job says about itself. */
  status: z.string().nullish(),
  label: z.string().nullish(),
  input: z.record(z.string(), z.unknown()).optional(),
  /** Output data: of a function, the object that it returned. */
  data: z.unknown().optional(),
  files: z.array(JobFile).optional(),
  /** The log, if it is short; longer ones are files. */
  output: z.string().optional(),
}));
