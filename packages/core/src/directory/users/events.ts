/** `id` is the key of the account. */
export interface UserEvents {
  "user.created": { id: string };
  "user.updated": { id: string };
  "user.deleted": { id: string };
}
