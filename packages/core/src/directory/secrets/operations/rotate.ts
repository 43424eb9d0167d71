import * as z from "zod";
import type { PrepareContext } from "../../../kernel/context.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { admin, defineCommand } from "../../../kernel/operation.ts";
import { userRecords } from "../../users/records.ts";
import { userKey } from "../../users/rules/account.ts";

/** The key is always the host's, so the refusal is the whole of it; the host rotates by giving a new key. */
export const rotateSecretKeyOperation = defineCommand({
  name: "admin_rotate_secret_key",
  method: "POST",
  summary: "Always refused: the host gives the key that seals secrets, and rotates it by giving another one.",
  access: admin,
  input: z.looseObject({ password: z.string().regex(/./) }),
  output: z.object({ id: z.string() }),
  async prepare({ password }, context) {
    if (!(await isOwnPassword(password, context))) throw new DomainError("admin", "malformed", "Incorrect password.");
  },
  async handler() {
    throw new DomainError("admin", "conflict", "Cannot rotate secret key when specified via environment variable.");
  },
});

/** Only users have a password of their own; it is asked for so that a session left open is not enough. */
async function isOwnPassword(password: string, { actor, client, read, services }: PrepareContext): Promise<boolean> {
  if (actor.kind !== "user")
    throw new DomainError("admin", "conflict", "The secret key can be rotated by a user's session only.");
  const id = userKey(actor.id);
  const user = await read((tx) => tx.collection(userRecords).get(id));
  // Shared with the door: a stolen session must not be a way to guess the password.
  const attempt = await services.loginThrottle.attempt(id, client.ip);
  const { ok } = await attempt.judge(services.passwords.verify(password, user?.password));
  if (!ok || attempt.delayed) return false;
  attempt.forgive();
  return true;
}
