import { UNSET_ADDRESS } from "../../../lib/network/unset-address.ts";
import type { User } from "../model.ts";
import { type AccountDefaults, newUser } from "./account.ts";

/** Key and name of the account that a fresh installation begins with. */
export const ADMINISTRATOR = "admin";

interface Defaults extends Pick<AccountDefaults, "password" | "now" | "preferences"> {
  readonly username?: string;
}

/** An administrator; without a name the first one. */
export const newAdministrator = ({ username = ADMINISTRATOR, ...defaults }: Defaults): User =>
  newUser(
    {
      username,
      full_name: "Administrator",
      email: UNSET_ADDRESS,
      privileges: { admin: true },
    },
    { ...defaults, privileges: {}, roles: [] },
  );

/** Throws `Error` for a password that a host gave as an empty text, which is a mistake and never a wish. */
export function checkGivenPassword(password: string | undefined): void {
  if (password === "") throw new Error("The administrator's password must not be empty.");
}
