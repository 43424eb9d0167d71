import * as z from "zod";
import { object } from "../../../wire/objects.ts";

/** Messages to other nodes, with the commit of what they tell. */
export const CHANGED_MESSAGE = "servers.changed";
export const REMOVED_MESSAGE = "servers.removed";

export const AboutServer = object(() => ({ id: z.string() }));
