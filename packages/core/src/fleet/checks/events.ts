export interface CheckEvents {
  "check.created": { id: string };
  "check.updated": { id: string };
  "check.deleted": { id: string };
}
