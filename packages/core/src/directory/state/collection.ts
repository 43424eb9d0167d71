import { defineCollection } from "../../ports/storage/collection.ts";
import type { StateEntry } from "./model.ts";

export const stateCollection = defineCollection<StateEntry>({ name: "state", noun: "State", resident: true });
