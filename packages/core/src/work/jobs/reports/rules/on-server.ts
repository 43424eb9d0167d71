import type { ActiveJob, JobState } from "../../model.ts";

/** States in which an agent has the job and reports on it. */
export const ON_SERVER = ["active", "finishing"] as const satisfies readonly JobState[];

export const isOnServer = ({ job: { state } }: ActiveJob): boolean => state === "active" || state === "finishing";
