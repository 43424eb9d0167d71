/** NestJS on Express: mounted before Nest adds its parsers of bodies. */
import "reflect-metadata";
import { Controller, Get, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { nodeListener } from "@signalbox/http-hono/node";
import { forSatellites, ops, port, satellites } from "../hosts/ops.ts";

// As decorators do: @Controller() class Home { @Get() page() … } and @Module({ controllers: [Home] }) class App.
class Home {
  page() {
    return "the host's own page";
  }
}
Get()(Home.prototype, "page", Object.getOwnPropertyDescriptor(Home.prototype, "page"));
Controller()(Home);
class App {}
Module({ controllers: [Home] })(App);

const app = await NestFactory.create(App, { logger: ["warn", "error"] });
app.use("/ops", nodeListener(ops));
app.use(["/api", "/files", "/health"], nodeListener(forSatellites));
satellites.attach(app.getHttpServer());
await app.listen(port, "127.0.0.1");
console.log("Listening", JSON.stringify(app.getHttpServer().address()));
