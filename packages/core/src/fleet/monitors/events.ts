export interface MonitorEvents {
  "monitor.created": { id: string };
  "monitor.updated": { id: string };
  "monitor.deleted": { id: string };
}
