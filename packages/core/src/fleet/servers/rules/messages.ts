import * as z from "zod";
import { object } from "../../../wire/schemas/objects.ts";

/** Messages to other nodes, sent with the commit of the change. */
export const CHANGED_MESSAGE = "servers.changed";
export const REMOVED_MESSAGE = "servers.removed";

export const AboutServer = object(() => ({ id: z.string() }));
