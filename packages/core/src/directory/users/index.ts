import type { ConfigOf } from "../../kernel/config/config.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { recoveryCollection, securityLogCollection, userCollection } from "./collection.ts";
import type { usersConfig } from "./config.ts";
import type { UserEvents } from "./events.ts";
import { adminCreateUser, adminDeleteUser, adminGetUser, adminGetUsers, adminUpdateUser } from "./operations/admin.ts";
import { forgotPassword, resetPassword } from "./operations/recover.ts";
import { createUser } from "./operations/register.ts";
import { deleteUser, getUserActivity, updateUser, userSettings } from "./operations/self.ts";
import { type AccountChanges, createAccountChanges } from "./services/account-changes.ts";
import { ACCOUNT_MAIL_KIND, type AccountMails, createAccountMails, sendAccountMail } from "./services/account-mails.ts";
import { createFirstPassword, type FirstPassword } from "./services/first-password.ts";
import { createPasswords, type Passwords } from "./services/passwords.ts";
import { createRecovery, type Recovery } from "./services/recovery.ts";
import { createSecurityLog, type SecurityLog } from "./services/security-log.ts";
import { userTransfer } from "./transfer.ts";

declare module "../../kernel/config/config.ts" {
  interface Config extends ConfigOf<typeof usersConfig> {}
}

declare module "../../kernel/plugins/events.ts" {
  interface SignalboxEvents extends UserEvents {}
}

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly passwords: Passwords;
    readonly firstPassword: FirstPassword;
    readonly securityLog: SecurityLog;
    readonly accountMails: AccountMails;
    readonly accountChanges: AccountChanges;
    readonly recovery: Recovery;
  }
  interface KeyedServices {
    readonly recovery: true;
  }
}

export const users = definePlugin({
  id: "users",
  after: ["auth", "activity"],
  collections: [userCollection, securityLogCollection, recoveryCollection],
  transfer: userTransfer,
  operations: [
    createUser,
    updateUser,
    deleteUser,
    forgotPassword,
    resetPassword,
    adminCreateUser,
    adminUpdateUser,
    adminDeleteUser,
    adminGetUser,
    adminGetUsers,
    getUserActivity,
    userSettings,
  ],
  services: {
    passwords: createPasswords,
    firstPassword: createFirstPassword,
    securityLog: createSecurityLog,
    accountMails: createAccountMails,
    accountChanges: createAccountChanges,
    recovery: createRecovery,
  },
  stop: ({ firstPassword }) => firstPassword.finish(),
  workers: { [ACCOUNT_MAIL_KIND]: sendAccountMail },
});
