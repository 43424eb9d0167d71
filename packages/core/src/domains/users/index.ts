import { definePlugin } from "../../kernel/plugin.ts";
import { recoveryCollection, securityLogCollection, userCollection } from "./collection.ts";
import { adminCreateUser, adminDeleteUser, adminGetUser, adminGetUsers, adminUpdateUser } from "./operations/admin.ts";
import { forgotPassword, resetPassword } from "./operations/recover.ts";
import { createUser } from "./operations/register.ts";
import { deleteUser, getUserActivity, updateUser, userSettings } from "./operations/self.ts";
import { ACCOUNT_MAIL_KIND, createAccountMails, sendAccountMail } from "./services/account-mails.ts";
import { createPasswords } from "./services/passwords.ts";
import { createRecovery } from "./services/recovery.ts";
import { createSecurityLog } from "./services/security-log.ts";

export const users = definePlugin({
  id: "users",
  after: ["auth", "activity"],
  collections: [userCollection, securityLogCollection, recoveryCollection],
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
    securityLog: createSecurityLog,
    accountMails: createAccountMails,
    recovery: createRecovery,
  },
  workers: { [ACCOUNT_MAIL_KIND]: sendAccountMail },
});
