import { type Actor, anonymous } from "../../../kernel/context.ts";
import type { User } from "../../users/model.ts";

/** The actor of rows about logins, where no account is signed in yet; holds no right. */
export const accountActor = ({ username, full_name }: User): Actor => ({
  ...anonymous,
  kind: "user",
  id: username,
  title: full_name || username,
});

/** Members of an account in rows about logins. */
export function accountStub({ username, full_name, icon }: User): Readonly<Record<string, string>> {
  return { username, full_name, ...(icon ? { icon } : {}) };
}
