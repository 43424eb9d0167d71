export interface SecretEvents {
  "secret.created": { id: string };
  "secret.updated": { id: string };
  "secret.deleted": { id: string };
  /** Nothing is sealed with a previous key any more. `secrets` counts those under the current one. */
  "secrets.rotated": { secrets: number };
}
