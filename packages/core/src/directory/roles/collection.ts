import { defineCollection } from "../../ports/storage/collection.ts";
import type { Role } from "./model.ts";

export const roleCollection = defineCollection<Role>({ name: "roles", noun: "Role", resident: true });
