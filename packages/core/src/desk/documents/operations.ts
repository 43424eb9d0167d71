import * as z from "zod";
import { admin, defineQuery } from "../../kernel/calls/operation.ts";
import { DomainError } from "../../kernel/errors/errors.ts";
import { listOf } from "../../wire/schemas/lists.ts";
import { looseObject, object } from "../../wire/schemas/objects.ts";
import { findSections } from "./rules.ts";

const MAX_TEXT = 200;
const MAX_ROWS = 50;

export const getDoc = defineQuery({
  name: "get_doc",
  summary: "Read a page of the documentation as Markdown.",
  access: admin,
  refuses: ["admin"],
  input: looseObject(() => ({
    doc: z
      .string()
      .max(MAX_TEXT)
      .regex(/^[\w/-]+$/)
      .describe("Like `guide/secrets`."),
  })),
  output: object(() => ({ doc: z.string(), markdown: z.string() })),
  handler: async ({ doc }, { services }) => ({ doc, markdown: await services.manual.page(doc) }),
});

const Row = object(() => ({ doc: z.string(), anchor: z.string(), heading: z.string(), markdown: z.string() }));

export const searchDocs = defineQuery({
  name: "search_docs",
  summary: "Find sections of the documentation by the anchor of a heading, or by words.",
  access: admin,
  refuses: ["admin"],
  input: looseObject(() => ({
    anchor: z.string().max(MAX_TEXT).optional().describe("Of a heading, as links name it."),
    query: z.string().max(MAX_TEXT).optional().describe("Words that a section must hold."),
  })),
  output: listOf(Row),
  async handler({ anchor, query }, { services }) {
    if (!anchor && !query) throw new DomainError("api", "malformed", "Missing parameter: anchor");
    const sections = await services.manual.sections();
    const linked = anchor ? sections.filter((section) => section.anchor === anchor.replace(/^#/, "")) : sections;
    const found = query ? findSections(linked, query) : linked;
    return { rows: found.slice(0, MAX_ROWS), list: { length: found.length } };
  },
});
