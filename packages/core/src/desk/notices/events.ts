import type { DefinitionEvents } from "../../kernel/plugins/events.ts";

export interface NoticeEvents extends DefinitionEvents<"receiver" | "route" | "rota"> {
  "problem.opened": { id: string };
  "problem.closed": { id: string };
  /** A notice was decided; `id` is the id of the notice. */
  "notice.decided": { id: string; problem: string; receiver: string; kind: string };
  "notice.sent": { id: string; problem: string; receiver: string; kind: string };
  "notice.failed": { id: string; problem: string; receiver: string; kind: string };
}
