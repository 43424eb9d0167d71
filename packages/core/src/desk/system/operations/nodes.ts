import * as z from "zod";
import { admin, defineCommand, defineQuery } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { Done, NoParameters } from "../../../wire/schemas/lists.ts";
import { object } from "../../../wire/schemas/objects.ts";

/** Refuses calls that install, start or stop, because the engine is part of the host's program. */
const notHere = (what: string): DomainError =>
  new DomainError("admin", "conflict", `${what} is not supported in embedded mode.`);

export const getMasterReleases = defineQuery({
  name: "get_master_releases",
  summary: "Always refused: the program that holds the engine chooses its version.",
  access: admin,
  refuses: ["admin"],
  input: NoParameters,
  output: object(() => ({ releases: z.array(z.string()) })),
  async handler() {
    throw notHere("Listing releases of the server");
  },
});

export const adminUpgradeMasters = defineCommand({
  name: "admin_upgrade_masters",
  summary: "Always refused: the program that holds the engine is upgraded by its package manager.",
  access: admin,
  refuses: ["admin"],
  input: NoParameters,
  output: Done,
  async handler() {
    throw notHere("Upgrading the server");
  },
});

export const masterCommand = defineCommand({
  name: "master_command",
  summary: "Always refused: the program that holds the engine is started and stopped by its supervisor.",
  access: admin,
  refuses: ["admin"],
  input: NoParameters,
  output: Done,
  async handler() {
    throw notHere("Control of the server");
  },
});
