import * as z from "zod";
import { object } from "../../../wire/schemas/objects.ts";

/** Types of messages to other nodes, sent when the change commits. */
export const CHANGED_MESSAGE = "servers.changed";
export const REMOVED_MESSAGE = "servers.removed";

export const AboutServer = object(() => ({ id: z.string() }));
