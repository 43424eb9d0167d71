import * as z from "zod";
import { WordId } from "../../../../wire/fields/fields.ts";
import { looseObject } from "../../../../wire/schemas/objects.ts";

/** Credentials that agents send with a result or a file of a job (docs/contract/satellites.md#finishing). */
export const AgentCredentials = looseObject(() => ({
  id: WordId.describe("Id of the job."),
  auth: z
    .string()
    .regex(/^\w{1,256}$/)
    .optional()
    .describe("Token of the server, of a runner or of the job, or an API key; not needed beside another credential."),
  server: WordId.max(64).optional().describe("Id of the server whose token is sent."),
}));
export type AgentCredentials = z.infer<typeof AgentCredentials>;
