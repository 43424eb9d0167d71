import { defineCollection } from "../../ports/storage/collection.ts";
import type { PasswordRecovery, SecurityRow, User } from "./model.ts";

export const userCollection = defineCollection<User>({ name: "users", noun: "User", resident: true });

export const securityLogCollection = defineCollection<SecurityRow>({
  name: "security_log",
  noun: "Security Log Row",
  columns: { epoch: { type: "integer", read: (row) => row.epoch } },
  terms: { account: (row) => [row.account] },
});

export const recoveryCollection = defineCollection<PasswordRecovery>({
  name: "password_recoveries",
  noun: "Password Recovery",
});
