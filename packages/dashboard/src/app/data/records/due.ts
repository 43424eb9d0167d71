import { day } from "../../texts/format.ts";

/** A due date is midnight of the server's zone: its noon lies on the same day almost everywhere. */
export const noonOf = (due: number): number => due + 43_200;
export const dueDay = (due: number): string => day(noonOf(due));
