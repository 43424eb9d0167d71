import { defineCollection } from "../../ports/storage/collection.ts";
import type { Initial } from "./rules/initial.ts";

/** A token for new agents. */
export interface EnrolmentToken {
  /** SHA-256 of it in hex digits: who reads the store cannot use it. */
  readonly id: string;
  /** Initial members of new servers with this token. */
  readonly initial: Initial;
  /** Unix seconds. */
  readonly created: number;
  readonly until: number;
}

/** Tokens for new agents, known to all nodes. */
export const enrolmentCollection = defineCollection<EnrolmentToken>({
  name: "enrolment_tokens",
  noun: "Token for new agents",
});
