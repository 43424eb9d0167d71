import { expect, test } from "vitest";
import { PRIVILEGES } from "./privileges.ts";

test("each kind of object has three privileges beside the general ones", () => {
  expect(Object.keys(PRIVILEGES)).toHaveLength(1 + 12 * 3 + 10);
  expect(PRIVILEGES).toMatchObject({
    admin: "Administrator",
    create_web_hooks: "Create Web Hooks",
    edit_categories: "Edit Categories",
    delete_monitors: "Delete Monitors",
    bulk_export: "Bulk Export",
  });
});
