export interface RoleEvents {
  "role.created": { id: string };
  "role.updated": { id: string };
  "role.deleted": { id: string };
}
