import type { JobDetails, MetaRow } from "../../model.ts";

const MAX_ROWS = 1000;
/** Most characters of one row, because agents may send any number. */
export const MAX_META_TEXT = 10_000;

/** Appends rows to the meta log, which keeps the last thousand. */
export function addMeta(details: JobDetails, rows: readonly MetaRow[]): JobDetails {
  if (rows.length === 0) return details;
  const bounded = rows.map((row) =>
    row.msg.length > MAX_META_TEXT ? { ...row, msg: row.msg.slice(0, MAX_META_TEXT) } : row,
  );
  return { ...details, activity: [...details.activity, ...bounded].slice(-MAX_ROWS) };
}
