import { expect, test } from "vitest";
import { lacksBuiltIn } from "./built-ins.ts";

test.each<[unknown, unknown, boolean]>([
  [{ "docker-plugin": false }, "[docker-plugin]", true],
  [{ "docker-plugin": true }, "[docker-plugin]", false],
  [{ testMonitorPlugin: true, dockerStats: true }, "[docker-plugin]", false],
  [{ "docker-plugin": false }, "[shell-plugin]", false],
  [{ "docker-plugin": false }, "/usr/bin/docker-plugin", false],
  [{ "docker-plugin": false }, undefined, false],
  [{}, "[constructor]", false],
  [undefined, "[docker-plugin]", false],
])("features %j, command %j: %j", (features, command, lacks) =>
  expect(lacksBuiltIn({ info: { features } }, command)).toBe(lacks),
);
