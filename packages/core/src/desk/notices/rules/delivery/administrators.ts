import type { Receiver } from "../../model.ts";

/** In a list of users: all active administrators. */
export const ALL_ADMINISTRATORS = "@admins";

/** All active administrators, the fallback of receivers that name no other one. */
export const ADMINISTRATORS: Receiver = {
  ...{ id: ALL_ADMINISTRATORS, title: "administrators", enabled: true, type: "user", users: [ALL_ADMINISTRATORS] },
  ...{ username: "system", created: 0, modified: 0 },
};
