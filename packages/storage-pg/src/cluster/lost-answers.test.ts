import { StorageError } from "@signalbox/core/storage";
import { expect, test } from "vitest";
import { twoNodes } from "../../test/two-nodes.ts";

test("a definition whose commit was not answered is up to date on its own node", async () => {
  let isLost = false;
  const at = await twoNodes({
    storageOf: (_host, storage) => ({
      ...storage,
      async write(work) {
        const result = await storage.write(work);
        if (isLost) throw new StorageError("gone", { cause: new Error("The connection dropped") });
        return result;
      },
    }),
  });
  const { tag } = await at.one.api.createTag({ title: "Before" });
  const changed: string[] = [];
  at.one.events.on("definitions.changed", ({ collection, ids }) => void changed.push(...[collection, ...ids]));
  isLost = true;
  const update = at.one.api.updateTag({ id: tag.id, title: "After" });
  await expect(update).rejects.toMatchObject({ code: "storage" });
  isLost = false;
  for (const node of [at.two, at.one])
    await at.until(async () => (await node.api.getTag({ id: tag.id })).tag.title).toBe("After");
  expect(changed).toEqual(["tags", tag.id]);
});
