import { day } from "../../texts/format.ts";

/** A due date is midnight in the server's zone. Noon of that day falls on the same date almost everywhere. */
export const noonOf = (due: number): number => due + 43_200;
export const dueDay = (due: number): string => day(noonOf(due));
