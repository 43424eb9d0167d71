import { expect, test } from "vitest";
import { twoNodes } from "../../test/two-nodes.ts";

test("concurrent changes of one record on several nodes are all made", async () => {
  const { one, two, until } = await twoNodes();
  const { tag } = await one.api.createTag({ title: "Busy" });
  const changes = Array.from({ length: 12 }, (_, index) =>
    [one, two][index % 2]?.api.updateTag({ id: tag.id, title: `Change ${index}` }),
  );
  expect(await Promise.allSettled(changes)).toEqual(
    changes.map(() => expect.objectContaining({ status: "fulfilled" })),
  );
  await until(async () => (await one.api.getTag({ id: tag.id })).tag.revision).toBe(13);
});

test("a definition can be read on every node as soon as it was created on one", async () => {
  const { one, two } = await twoNodes();
  for (let count = 0; count < 20; count++) {
    const { tag } = await one.api.createTag({ title: `Tag ${count}` });
    expect(await two.api.getTag({ id: tag.id })).toMatchObject({ tag: { title: `Tag ${count}` } });
  }
  await expect(two.api.getTag({ id: "none" })).rejects.toMatchObject({ code: "notfound" });
});
