import type { Part } from "../stage/attack.ts";
import { addresses } from "./addresses.ts";
import { answers } from "./answers.ts";
import { bodies } from "./bodies.ts";
import { costs } from "./costs.ts";
import { largest } from "./largest.ts";
import { operations } from "./operations.ts";
import { peers } from "./peers.ts";
import { reach } from "./reach.ts";
import { storage } from "./storage.ts";

/**
 * Parts of a group share a server in the short form: its start, its records and its first calls cost more than most parts. A part
 * that changes keys and settings comes last in its group.
 */
export const GROUPS: readonly (readonly Part[])[] = [
  [storage],
  [bodies, peers, operations],
  [reach, costs],
  // Alone, because its limits per minute apply to all calls of the minute.
  [addresses],
  [largest],
  [answers],
];
export const PARTS = GROUPS.flat();
