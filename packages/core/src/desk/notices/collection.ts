import { defineCollection } from "../../ports/storage/collection.ts";
import type { SearchTable } from "../../search/parse/table.ts";
import type { Decision, Notice, Problem, Receiver, Rota, StoredRoute } from "./model.ts";
import type { ReceiverHealth } from "./rules/delivery/health.ts";
import { parentsOf } from "./rules/members/parents.ts";
import { latestOf } from "./rules/problem/facts.ts";

export const receiverCollection = defineCollection<Receiver>({ name: "receivers", noun: "Receiver", resident: true });
export const healthCollection = defineCollection<ReceiverHealth>({ name: "receiver_health", noun: "Receiver health" });
export const routeCollection = defineCollection<StoredRoute>({ name: "routes", noun: "Route", resident: true });

export const rotaCollection = defineCollection<Rota>({ name: "rotas", noun: "Rota", resident: true });

export const problemCollection = defineCollection<Problem>({
  name: "problems",
  noun: "Problem",
  columns: { opened: { type: "integer", read: ({ opened }) => opened } },
  terms: {
    state: ({ closed }) => [closed === null ? "open" : "closed"],
    route: ({ route }) => [route],
    invocation: ({ members }) => members.flatMap((member) => [member.invocation, latestOf(member)]),
    /** Ids of live firings that hold members back. */
    parent: ({ members }) => [...new Set(members.flatMap(parentsOf))],
  },
});

const othersOf = ({ brief = [], acknowledged }: Notice): string[] => [...brief, ...(acknowledged?.invocations ?? [])];

export const noticeCollection = defineCollection<Notice>({
  name: "notices",
  noun: "Notice",
  columns: { date: { type: "integer", read: ({ date }) => date } },
  terms: {
    problem: ({ problem }) => [problem],
    receiver: ({ receiver }) => [receiver],
    route: ({ route }) => [route],
    alert: ({ alerts = [] }) => alerts,
    subject: ({ subjects = [] }) => subjects,
    kind: ({ kind }) => [kind],
    outcome: ({ outcome }) => [outcome],
    groups: ({ groups }) => groups,
    categories: ({ categories = [] }) => categories,
    /** Whether the notice is about subjects other than servers, which groups do not cover. */
    other: ({ categories = [] }) => (categories.length > 0 ? ["yes"] : []),
    invocation: (notice) => [...new Set([...notice.new, ...notice.repeated, ...notice.over, ...othersOf(notice)])],
  },
});

/** Fields that queries over notices may name. There is no default field, as with invocations. */
export const noticeSearch: SearchTable = {
  fields: {
    problem: { kind: "keyword" },
    receiver: { kind: "keyword" },
    route: { kind: "keyword" },
    alert: { kind: "keywords" },
    subject: { kind: "keywords" },
    kind: { kind: "keyword" },
    outcome: { kind: "keyword" },
    invocation: { kind: "keywords" },
    groups: { kind: "keywords" },
    categories: { kind: "keywords" },
    date: { kind: "hour" },
  },
  sorters: {},
};

export const decisionCollection = defineCollection<Decision>({
  name: "notice_decisions",
  noun: "Notice decision",
  columns: { from: { type: "integer", read: ({ from }) => from } },
  terms: { invocation: ({ invocation }) => [invocation] },
});
