import * as z from "zod";

/** Messages to other nodes, with the commit of what they tell. */
export const CHANGED_MESSAGE = "servers.changed";
export const REMOVED_MESSAGE = "servers.removed";

export const AboutServer = z.object({ id: z.string() });
