export interface EventEvents {
  "event.created": { id: string };
  "event.updated": { id: string };
  "event.deleted": { id: string };
}
