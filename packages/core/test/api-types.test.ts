import { expectTypeOf, test } from "vitest";
import type { createSignalbox } from "../src/engine/signalbox.ts";

type Api = ReturnType<typeof createSignalbox>["api"];
type Input<Method extends keyof Api> = NonNullable<Parameters<Api[Method]>[0]>;
/** Members of type `unknown`, and inputs that accept members of any name. */
type UnknownIn<T> = { [Member in keyof T]-?: unknown extends T[Member] ? Member : never }[keyof T];
type Vague = { [Method in keyof Api]: [UnknownIn<Input<Method>>] extends [never] ? never : Method }[keyof Api];

type Snake<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : Name;
type Kinds<Verb extends string> = {
  [Method in keyof Api]: Method extends `${Verb}${infer Kind}` ? Kind : never;
}[keyof Api];
/** The record in the answer of `get<Kind>`; undefined if there is none. */
type Read<Kind extends string> = `get${Kind}` extends keyof Api
  ? Awaited<ReturnType<Api[`get${Kind}`]>> extends { [Member in Snake<Uncapitalize<Kind>>]: infer Record }
    ? Record
    : undefined
  : undefined;
/** Kinds whose record, as it is read, does not fit `create<Kind>` or `update<Kind>`. */
type Unfit<Verb extends "create" | "update"> = {
  [Kind in Kinds<Verb>]: `${Verb}${Kind}` extends keyof Api
    ? Read<Kind> extends Input<`${Verb}${Kind}`>
      ? never
      : Kind
    : never;
}[Kinds<Verb>];

test("a record that was read can be created and updated as it is", () => {
  // Snapshots, states, data of servers and changes of tickets are not read as one record; few members of a job can be changed.
  expectTypeOf<Unfit<"create">>().toEqualTypeOf<"GroupSnapshot">();
  expectTypeOf<Unfit<"update">>().toEqualTypeOf<"GlobalState" | "Job" | "ServerData" | "TicketChange">();
  type User = Awaited<ReturnType<Api["userAdminGetUser"]>>["user"];
  expectTypeOf<User>().toExtend<Input<"userAdminUpdate">>();
});

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
