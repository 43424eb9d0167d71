import { UNSET_ADDRESS } from "../../../lib/network/unset-address.ts";
import type { User } from "../model.ts";
import { type AccountDefaults, newUser } from "./account.ts";

/** Key and name of the first account of a new installation. */
export const ADMINISTRATOR = "admin";

interface Defaults extends Pick<AccountDefaults, "password" | "now" | "preferences"> {
  readonly username?: string;
}

/** Makes an administrator; without a name it is the first one. */
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

/** Throws `Error` for an empty password from the host, which is always a mistake. */
export function checkGivenPassword(password: string | undefined): void {
  if (password === "") throw new Error("The administrator's password must not be empty.");
}
