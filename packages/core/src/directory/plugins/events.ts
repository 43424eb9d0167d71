export interface PluginEvents {
  "plugin.created": { id: string };
  "plugin.updated": { id: string };
  "plugin.deleted": { id: string };
}
