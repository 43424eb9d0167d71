import { rows } from "../../kernel/config/config-fields.ts";

/** A member of `db_maint`. */
export const activityRetention = {
  activity: rows("Newest rows of the activity log that are kept by the daily maintenance."),
};
