import { noonOf } from "../tickets/values.ts";

/** A due date as the control of the browser writes it. */
export function dateOf(due: number | "" | undefined): string {
  if (!due) return "";
  const at = new Date(noonOf(due) * 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
