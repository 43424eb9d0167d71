import { defineCollection } from "../../ports/collection.ts";
import type { Group } from "./model.ts";

export const groupCollection = defineCollection<Group>({ name: "groups", noun: "Group", resident: true });
