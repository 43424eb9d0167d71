import { defineCollection } from "../../ports/storage/collection.ts";
import type { CheckState, Claim, KeptResult, StoredCheck } from "./model.ts";

export const checkCollection = defineCollection<StoredCheck>({ name: "checks", noun: "Check", resident: true });

export const stateCollection = defineCollection<CheckState>({ name: "check_states", noun: "Check state" });

/** Claims of nodes on turns of checks. */
export const claimCollection = defineCollection<Claim>({ name: "check_claims", noun: "Check claim" });

/** The newest results of each check, in a ring buffer: a new result overwrites the oldest. */
export const resultCollection = defineCollection<KeptResult>({ name: "check_results", noun: "Check result" });
