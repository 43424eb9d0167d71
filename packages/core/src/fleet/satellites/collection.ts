import { defineCollection } from "../../ports/storage/collection.ts";
import type { Initial } from "./rules/initial.ts";

/** A token that lets new agents enrol. */
export interface EnrolmentToken {
  /** SHA-256 of the token in hex digits, so that readers of the storage cannot use it. */
  readonly id: string;
  /** Initial members of servers that enrol with this token. */
  readonly initial: Initial;
  /** Unix seconds. */
  readonly created: number;
  readonly until: number;
}

/** Tokens for new agents, shared by all nodes. */
export const enrolmentCollection = defineCollection<EnrolmentToken>({
  name: "enrolment_tokens",
  noun: "Token for new agents",
});
