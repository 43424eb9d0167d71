import { takeEnvironment } from "./secret-environment.ts";

/** Taken once, before anything else is loaded. */
export const taken = takeEnvironment();
