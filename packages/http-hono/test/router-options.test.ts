import { createSignalbox, memoryStorage, type SignalboxOptions } from "@signalbox/core";
import { expect, test } from "vitest";
import { createRouter, type RouterOptions, type TrustedHeaderOptions, trustedHeaderUser } from "../src/index.ts";

test.each([
  [undefined, "createRouter: the engine is missing: give one, such as createSignalbox("],
  [createSignalbox, "createRouter: the engine is the function createSignalbox, which was not called"],
  [{ apiBase: "/api" }, "createRouter: the engine is of the type object without what is needed of it"],
])("createRouter refuses %o in place of an engine", (given, complaint) => {
  expect(() => createRouter(given as never)).toThrow(complaint);
});

const engine = createSignalbox({ storage: memoryStorage(), secretKey: "0123456789abcdef" });

test.each<[object, string]>([
  [{ resolveuser: () => undefined }, 'createRouter: there is no option "resolveuser"'],
  [{ resolveUser: undefined }, "createRouter: resolveUser is undefined"],
  [{ clientAddress: undefined }, "createRouter: clientAddress is undefined"],
  [{ cors: "hosts" }, 'createRouter: cors must be one of "compat", "host"'],
  [{ compress: "no" }, "createRouter: compress must be true or false"],
  [{ healthPath: "" }, "createRouter: healthPath must be a text that is not empty"],
  [{ maxFiles: Number.NaN }, "createRouter: maxFiles must be a whole number, 0 or more"],
])("createRouter refuses %o", (options, complaint) => {
  expect(() => createRouter(engine, options as RouterOptions)).toThrow(complaint);
});

test.each<[object, string]>([
  [{ group: ["g1"] }, 'trustedHeaderUser: there is no option "group"'],
  [{ groups: undefined }, "trustedHeaderUser: groups is undefined"],
  [{ trustedProxies: undefined }, "trustedHeaderUser: trustedProxies is undefined"],
])("trustedHeaderUser refuses %o", (options, complaint) => {
  expect(() => trustedHeaderUser(options as TrustedHeaderOptions)).toThrow(complaint);
});

const needed = { storage: memoryStorage(), secretKey: "0123456789abcdef" };
test.each<[object, string]>([
  [{ secretKey: "0123456789abcdef" }, "createSignalbox: storage is missing: give one, such as sqliteStorage("],
  [{ ...needed, blob: {} }, 'createSignalbox: there is no option "blob"'],
  [{ ...needed, keyProvider: undefined }, "createSignalbox: keyProvider is undefined"],
])("createSignalbox refuses %o", (options, complaint) => {
  expect(() => createSignalbox(options as SignalboxOptions<[]>)).toThrow(complaint);
});
