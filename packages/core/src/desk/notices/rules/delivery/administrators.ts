import type { Receiver } from "../../model.ts";

/** All active administrators, who are told in place of a receiver that cannot be reached unless somebody else is named. */
export const ADMINISTRATORS: Receiver = {
  ...{ id: "@admins", title: "administrators", enabled: true, type: "user", users: ["@admins"] },
  ...{ username: "system", created: 0, modified: 0 },
};
