export interface WebHookEvents {
  "web_hook.created": { id: string };
  "web_hook.updated": { id: string };
  "web_hook.deleted": { id: string };
}
