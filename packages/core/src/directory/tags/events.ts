export interface TagEvents {
  "tag.created": { id: string };
  "tag.updated": { id: string };
  "tag.deleted": { id: string };
}
