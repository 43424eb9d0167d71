import { expectTypeOf, test } from "vitest";
import type { createSignalbox } from "../src/engine/signalbox.ts";

type Api = ReturnType<typeof createSignalbox>["api"];
type Input<Method extends keyof Api> = NonNullable<Parameters<Api[Method]>[0]>;
/** Members of type `unknown`, and inputs that accept members of any name. */
type UnknownIn<T> = { [Member in keyof T]-?: unknown extends T[Member] ? Member : never }[keyof T];
type Vague = { [Method in keyof Api]: [UnknownIn<Input<Method>>] extends [never] ? never : Method }[keyof Api];

test("methods have typed members, except for the few that accept any member", () => {
  expectTypeOf<Vague>().toEqualTypeOf<
    // Their members are paths of the configuration and of the state, or fields of forms.
    | ("adminUpdateConfig" | "form" | "formConfig" | "magic" | "updateGlobalState" | "uploadFiles")
    | "uploadJobInputFiles"
  >();
});

test("a misspelt member does not compile", () => {
  const _calls = (api: Api): Promise<unknown>[] => [
    api.createAlert({ title: "T", expression: "1", message: "m", samples: 2 }),
    // @ts-expect-error `samples` is meant.
    api.createAlert({ title: "T", expression: "1", message: "m", sampels: 2 }),
    // @ts-expect-error `limit` is meant.
    api.searchJobs({ query: "*", limt: 10 }),
    // @ts-expect-error There is nothing to say.
    api.getAlerts({ id: "a" }),
    // @ts-expect-error No such type of trigger.
    api.updateEvent({ id: "e", triggers: [{ type: "hourly" }] }),
    // @ts-expect-error No such condition.
    api.updateEvent({ id: "e", actions: [{ enabled: true, condition: "finished", type: "email", email: "a@b.c" }] }),
    api.runEvent({ id: "e", params: { size: 1 }, limits: [{ enabled: true, type: "time", duration: 60 }] }),
  ];
});
