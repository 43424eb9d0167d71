import { expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../test/engine.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";

const start = useFleets();

test("a limited caller may neither add foreign groups to a server nor remove its last own one", async () => {
  const { agent, signalbox } = await start();
  for (const id of ["db", "zweb"]) await signalbox.api.createGroup({ id, title: id, hostname_match: id });
  await agent.connect({ hostname: "web-1", id: "s1", initial: { groups: ["db"] } });
  const limited = signalbox.as(keyWith(["update_servers"], { groups: ["db"] }));
  expect(await refusalOf(limited.updateServer({ id: "s1", groups: ["zweb"] }))).toEqual({
    code: "access",
    description: "You do not have the required account privileges to assign the requested server groups.",
  });
  expect(await refusalOf(limited.updateServer({ id: "s1", groups: ["nowhere"] }))).toMatchObject({ code: "access" });
  expect(await refusalOf(limited.updateServer({ id: "s1", autoGroup: true }))).toMatchObject({ code: "access" });
  expect(await refusalOf(limited.updateServer({ id: "s1", groups: [] }))).toMatchObject({ code: "access" });
  for (const foreign of ["zweb", "nowhere"])
    expect(await refusalOf(limited.updateServer({ id: "s1", groups: ["db", foreign] }))).toMatchObject({
      code: "access",
    });
  await signalbox.api.updateServer({ id: "s1", groups: ["zweb", "db"] });
  const kept = await limited.updateServer({ id: "s1", groups: ["db", "zweb"], title: "Kept" });
  expect(kept.server).toMatchObject({ groups: ["db", "zweb"], title: "Kept" });
});
