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

export const PARTS: readonly Part[] = [operations, bodies, largest, answers, peers, addresses, costs, reach, storage];
