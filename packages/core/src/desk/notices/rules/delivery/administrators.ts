import type { Receiver } from "../../model.ts";

/** All active administrators, the fallback of receivers that name no other one. */
export const ADMINISTRATORS: Receiver = {
  ...{ id: "@admins", title: "administrators", enabled: true, type: "user", users: ["@admins"] },
  ...{ username: "system", created: 0, modified: 0 },
};
