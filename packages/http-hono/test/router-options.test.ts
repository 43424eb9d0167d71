import { createSignalbox, memoryStorage, type SignalboxOptions } from "@signalbox/core";
import { expect, test } from "vitest";
import { createRouter, type RouterOptions, type TrustedHeaderOptions, trustedHeaderUser } from "../src/index.ts";

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
  [{ secretKey: "0123456789abcdef" }, "createSignalbox: storage is undefined"],
  [{ ...needed, blob: {} }, 'createSignalbox: there is no option "blob"'],
  [{ ...needed, keyProvider: undefined }, "createSignalbox: keyProvider is undefined"],
])("createSignalbox refuses %o", (options, complaint) => {
  expect(() => createSignalbox(options as SignalboxOptions<[]>)).toThrow(complaint);
});
