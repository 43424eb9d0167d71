export interface CategoryEvents {
  "category.created": { id: string };
  "category.updated": { id: string };
  "category.deleted": { id: string };
}
