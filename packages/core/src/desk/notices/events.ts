export interface NoticeEvents {
  "receiver.created": { id: string };
  "receiver.updated": { id: string };
  "receiver.deleted": { id: string };
  "route.created": { id: string };
  "route.updated": { id: string };
  "route.deleted": { id: string };
  "rota.created": { id: string };
  "rota.updated": { id: string };
  "rota.deleted": { id: string };
  "problem.opened": { id: string };
  "problem.closed": { id: string };
  /** A notice was decided; `id` is the notice's. */
  "notice.decided": { id: string; problem: string; receiver: string; kind: string };
  "notice.sent": { id: string; problem: string; receiver: string; kind: string };
  "notice.failed": { id: string; problem: string; receiver: string; kind: string };
}
