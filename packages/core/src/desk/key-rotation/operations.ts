import * as z from "zod";
import { userRecords } from "../../directory/users/records.ts";
import { userKey } from "../../directory/users/rules/account.ts";
import type { PrepareContext } from "../../kernel/calls/context.ts";
import { admin, defineCommand } from "../../kernel/calls/operation.ts";
import { DomainError } from "../../kernel/errors/errors.ts";
import { looseObject, object } from "../../wire/schemas/objects.ts";

const HOSTS_KEY = "Cannot rotate secret key when specified via environment variable.";

export const adminRotateSecretKey = defineCommand({
  name: "admin_rotate_secret_key",
  summary: "Make a new secret key and seal all secrets with it, in the background; the scheduler is switched off.",
  access: admin,
  refuses: ["admin"],
  input: looseObject(() => ({ password: z.string().regex(/./).describe("Of the account that asks.") })),
  output: object(() => ({ id: z.string() })),
  async prepare({ password }, context) {
    if (!(await isOwnPassword(password, context))) throw new DomainError("admin", "malformed", "Incorrect password.");
  },
  async handler(_input, { actor, audit, services: { internalJobs, keyChange, keyRotation }, tx }) {
    if (!keyChange.isPossible) throw new DomainError("admin", "conflict", HOSTS_KEY);
    const user = await tx.collection(userRecords).get(userKey(actor.id));
    const spec = { title: "Secret key rotation", type: "maint", username: actor.id, exclusive: true } as const;
    return internalJobs.startAfter({ audit, tx }, { ...spec, email: user?.email }, keyRotation.run);
  },
});

/** Whether the caller sent their own password, since an open session is not enough. Only users have a password. */
async function isOwnPassword(password: string, { actor, client, read, services }: PrepareContext): Promise<boolean> {
  if (actor.kind !== "user")
    throw new DomainError("admin", "conflict", "The secret key can be rotated by a user's session only.");
  const id = userKey(actor.id);
  const user = await read((tx) => tx.collection(userRecords).get(id));
  // Shares its counter with the login, so that a stolen session is no way to guess the password.
  const attempt = await services.loginThrottle.attempt(id, client.ip);
  const { ok } = await attempt.judge(services.passwords.verify(password, user?.password));
  if (!ok || attempt.delayed) return false;
  attempt.forgive();
  return true;
}
