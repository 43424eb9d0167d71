import type { Promised } from "../record.ts";
import { isDelivered } from "./delivered.ts";
import { isHandedOver } from "./duty.ts";
import { endsPromised, endsTold } from "./ends.ts";
import { isOnRecord } from "./reasons.ts";
import { isBounded, isQuiet, isTold, isToldOnce } from "./told.ts";

/** What must hold of every history. */
export const PROMISES: Readonly<Record<string, Promised>> = {
  ...{ isTold, isToldOnce, isBounded, isQuiet, endsTold, endsPromised, isOnRecord, isDelivered, isHandedOver },
};
