/** Engine work inside the host's own transaction: it commits or rolls back with the host's rows. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createSignalbox } from "@signalbox/core";
import { sqliteStorage } from "@signalbox/storage-sqlite";

const directory = await mkdtemp(join(tmpdir(), "signalbox-"));
const filename = join(directory, "shop.sqlite");
const shop = new DatabaseSync(filename);
shop.exec("create table orders (id integer primary key, item text)");

const signalbox = createSignalbox({ storage: sqliteStorage({ filename }), secretKey: "only for this example" });
await signalbox.start();

for (const end of ["rollback", "commit"]) {
  shop.exec("begin immediate");
  shop.exec("insert into orders (item) values ('lamp')");
  await signalbox.with(shop).api.createTag({ id: `order_${end}`, title: "Order" });
  shop.exec(end);
}
const orders = shop.prepare("select count(*) as n from orders").get();
// Also read in a transaction: the lists that the engine keeps in memory learn of the host's commit only within a second.
shop.exec("begin");
const { rows } = await signalbox.with(shop).api.getTags();
shop.exec("commit");
console.log(`orders ${orders?.["n"]}, tags ${rows.map((tag) => tag.id).join(", ")}`);
await signalbox.stop();
shop.close();
await rm(directory, { recursive: true });
