import * as z from "zod";
import type { WorkHandler } from "../../../../kernel/plugins/plugin.ts";
import { object } from "../../../../wire/schemas/objects.ts";
import { EXPIRE_KIND, ORPHANS_KIND, REMOVE_KIND } from "../files.ts";
import { OVER_KIND, overWorker } from "./over.ts";
import { UNLINK_KIND, unlinkWorker } from "./unlink.ts";

const Files = object(() => ({ ticket: z.string(), paths: z.array(z.string()) }));

const removeFiles: WorkHandler = ({ payload }, { ticketFiles }) => {
  const { ticket, paths } = Files.parse(payload);
  return ticketFiles.remove(ticket, paths);
};

const removeOrphans: WorkHandler = ({ payload }, { ticketFiles }) => {
  const { ticket, paths } = Files.parse(payload);
  return ticketFiles.removeOrphans(ticket, paths);
};

export const TICKET_LINK_WORKERS: Readonly<Record<string, WorkHandler>> = {
  [EXPIRE_KIND]: removeFiles,
  [REMOVE_KIND]: removeFiles,
  [ORPHANS_KIND]: removeOrphans,
  [OVER_KIND]: overWorker,
  [UNLINK_KIND]: unlinkWorker,
};
