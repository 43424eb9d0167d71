import { describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { madeLater } from "./made-later.ts";

const example = z.object({});
const definition = () => ({ type: "object" as const, shape: { title: z.string() } });

describe("a schema that is created lazily", () => {
  test("is defined at the first access, once", () => {
    const define = vi.fn(definition);
    const schema = madeLater(z.ZodObject as never, example)(define as never);
    expect(define).not.toHaveBeenCalled();
    expect(schema.safeParse({ title: "web01" })).toMatchObject({ data: { title: "web01" } });
    expect(schema.safeParse({ title: 5 }).success).toBe(false);
    expect(define).toHaveBeenCalledTimes(1);
  });

  test("is a schema of its kind, whatever is read of it first", () => {
    const make = () => madeLater(z.ZodObject as never, example)(definition as never);
    expect(make()).toBeInstanceOf(z.ZodObject);
    expect(make().type).toBe("object");
    expect(Object.keys(make().def.shape)).toEqual(["title"]);
    expect(z.toJSONSchema(make())).toMatchObject({ properties: { title: { type: "string" } }, required: ["title"] });
    expect(z.array(make().optional()).parse([undefined, { title: "a" }])).toEqual([undefined, { title: "a" }]);
  });

  test("is created at once where Zod fills it in in another way", () => {
    class Foreign extends z.ZodObject {
      static override init(): void {
        throw new Error("Members are made by the constructor.");
      }
    }
    const define = vi.fn(definition);
    const schema = madeLater(Foreign as never, example)(define as never);
    expect(define).toHaveBeenCalledTimes(1);
    expect(schema.safeParse({ title: "web01" })).toMatchObject({ data: { title: "web01" } });
  });
});
