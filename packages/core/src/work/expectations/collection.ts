import { defineCollection } from "../../ports/storage/collection.ts";
import type { Judged } from "./model.ts";

/** Stored, so that a restart or another node does not begin counting again. */
export const judgedCollection = defineCollection<Judged>({ name: "expectations", noun: "Expectation" });
