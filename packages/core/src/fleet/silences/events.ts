export interface SilenceEvents {
  "silence.created": { id: string };
  "silence.updated": { id: string };
  "silence.deleted": { id: string };
}
