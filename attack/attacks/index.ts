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

/** The part that mostly waits comes first: in the short form the others run beside it. */
export const PARTS: readonly Part[] = [storage, operations, bodies, largest, answers, peers, addresses, costs, reach];
