/** NestJS on Fastify: registered at the instance of Fastify. */
import "reflect-metadata";
import { Controller, Get, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import { fastifyPlugin } from "@signalbox/http-hono/node";
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

const app = await NestFactory.create(App, new FastifyAdapter(), { logger: ["warn", "error"] });
const server = app.getHttpAdapter().getInstance();
server.register(fastifyPlugin(ops), { prefix: "/ops" });
for (const prefix of ["/api", "/files", "/health"]) server.register(fastifyPlugin(forSatellites), { prefix });
satellites.attach(app.getHttpServer());
await app.listen(port, "127.0.0.1");
console.log("Listening", JSON.stringify(app.getHttpServer().address()));
