export interface ApiKeyEvents {
  "api_key.created": { id: string };
  "api_key.updated": { id: string };
  "api_key.deleted": { id: string };
}
