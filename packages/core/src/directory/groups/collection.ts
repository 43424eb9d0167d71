import { defineCollection } from "../../ports/storage/collection.ts";
import type { Group } from "./model.ts";

export const groupCollection = defineCollection<Group>({ name: "groups", noun: "Group", resident: true });
