import { definePlugin } from "../../kernel/plugin.ts";
import { mailCountCollection } from "./collection.ts";
import { emailAction } from "./services/action.ts";
import { createMails } from "./services/mails.ts";

/** Mails of jobs and alerts; those about accounts are the accounts' own. */
export const mail = definePlugin({
  id: "mail",
  after: ["auth", "users"],
  collections: [mailCountCollection],
  actionTypes: { email: emailAction },
  services: { mails: createMails },
});
