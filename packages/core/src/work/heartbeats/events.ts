export interface HeartbeatEvents {
  "heartbeat.created": { id: string };
  "heartbeat.updated": { id: string };
  "heartbeat.deleted": { id: string };
}
