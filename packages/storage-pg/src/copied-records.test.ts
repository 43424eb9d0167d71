import { createSignalbox } from "@signalbox/core";
import { expect, test } from "vitest";
import { useDatabase } from "../test/fixtures.ts";
import { pgStorage } from "./index.ts";

const { database } = useDatabase();
const log = { debug() {}, info() {}, warn() {}, error() {} };

test("an encrypted record that was copied into another row cannot be decrypted there", async () => {
  const start = async () => {
    const { connectionString } = database;
    const engine = createSignalbox({ storage: pgStorage({ connectionString }), secretKey: "only for this test", log });
    await engine.start();
    return engine;
  };
  const first = await start();
  await first.api.createSecret({ id: "master", title: "Master", fields: [{ name: "PASS", value: "planted" }] });
  await first.api.createSecret({ id: "mine", title: "Mine", fields: [{ name: "PASS", value: "x" }] });
  await first.stop();
  await database.admin.query(
    `update signalbox.sb_secret_payloads
      set doc = (select doc from signalbox.sb_secret_payloads where id = 'master') where id = 'mine'`,
  );
  const engine = await start();
  await expect(engine.api.decryptSecret({ id: "mine" })).rejects.toMatchObject({
    code: "secret",
    message: "Failed to decrypt secret: The sealed record cannot be opened.",
  });
  expect(await engine.api.decryptSecret({ id: "master" })).toMatchObject({ fields: [{ value: "planted" }] });
  await engine.stop();
});
