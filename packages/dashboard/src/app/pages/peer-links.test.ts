import { expect, test } from "vitest";
import { match } from "../router/match.ts";
import { peerLink, withoutLink } from "../router/peer-links.ts";
import { pages } from "./index.ts";

const LINKS = [
  ["#Home", "/"],
  ["#Dashboard", "/"],
  ["#Job?id=j1", "/jobs/j1"],
  ["#job?id=j1", "/jobs/j1"],
  ["#Search?query=disk&result=error&event=e1", "/jobs?q=disk+tags%3A_error+event%3Ae1"],
  ["#Search?result=abort", "/jobs?q=code%3Aabort"],
  ["#Jobs", "/jobs"],
  ["#Jobs?tags=t1&date=2026-01-02", "/jobs?q=tags%3At1&date=2026-01-02"],
  ["#Alerts?id=a1", "/alerts/a1"],
  ["#Alerts?sub=view&id=a1", "/alerts/a1"],
  ["#Alerts", "/alerts"],
  ["#Alerts?sub=search&query=x", "/alerts?query=x"],
  ["#Ticket?id=t1", "/tickets/t1"],
  ["#Tickets?sub=view&id=t1", "/tickets/t1"],
  ["#Tickets?sub=view&num=214", "/tickets/214"],
  ["#Tickets?sub=new", "/tickets/new"],
  ["#Tickets?query=status:open", "/tickets?q=status%3Aopen"],
  ["#Events?sub=view&id=e1", "/events/e1"],
  ["#Events?sub=edit&id=e1", "/events/e1/edit"],
  ["#Events?sub=new", "/events/new"],
  ["#Workflows?sub=history&id=w1", "/events/w1/history"],
  ["#Checks?id=c1", "/checks/c1"],
  ["#Heartbeats?id=h1", "/heartbeats/h1"],
  ["#Server?id=s1", "/servers/s1"],
  ["#Servers?id=s1", "/servers/s1"],
  ["#Servers?sub=search", "/servers"],
  ["#Group?id=g1", "/groups/g1"],
  ["#Groups?sub=view&id=g1", "/groups/g1"],
  ["#Snapshots?id=n1", "/snapshots/n1"],
  ["#ActivityLog", "/activity"],
  ["#APIKeys?sub=edit&id=k1", "/people/keys/k1"],
  ["#Users?sub=edit&username=ann", "/people/ann"],
  ["#Roles", "/people/roles"],
  ["#Docs", "/guides"],
  ["#Docs?doc=guide/secrets&anchor=rotate", "/guides?doc=guide%2Fsecrets&anchor=rotate"],
  ["#WebHooks?sub=edit&id=w1", "/web-hooks/w1"],
  ["#AlertSetup?sub=edit&id=a1", "/alert-rules/a1"],
  ["#Monitors?sub=edit&id=m1", "/monitors?edit=m1"],
  ["#Monitors?sub=new", "/monitors?edit=new"],
  ["#Monitors", "/monitors"],
  ["#Channels?id=c1", "/channels/c1"],
  ["#Plugins?id=p1", "/plugins/p1"],
  ["#Secrets?id=s1", "/secrets/s1"],
  ["#Tags", "/tags"],
  ["#Categories?id=c1", "/categories/c1"],
  ["#Buckets?id=b1", "/buckets/b1"],
  ["#System", "/system"],
  ["#Config", "/configuration"],
  ["#Login?u=ann&h=secret", "/login/reset?u=ann&h=secret"],
  ["#Marketplace?id=m1", "/?find=m1"],
  ["#Job?id=a%2Fb", "/jobs/a%2Fb"],
] as const;

test.each(LINKS)("%s leads to %s", (hash, path) => expect(peerLink(hash)).toBe(path));

/** Routes of all pages, without loading the pages. */
const routes = pages.flatMap((entry) => entry.routes);

test.each(LINKS.filter(([hash]) => !hash.startsWith("#Login")))("%s leads to an existing page", (hash) => {
  const path = (peerLink(hash) ?? "").split("?")[0] ?? "";
  expect(routes.some((route) => match(route, path) !== undefined)).toBe(true);
});

test.each(["", "#", "#L48201", "#L1-L20", "#main", "#app"])("%s is an address of the page itself", (hash) =>
  expect(peerLink(hash)).toBeUndefined(),
);

test.each([
  ["a link of this form", "CPU is busy: https://ops.example/ops/#Alerts?id=a1", "CPU is busy", "/alerts/a1"],
  ["without a colon", "The export is ready https://ops.example/#Job?id=j1", "The export is ready", "/jobs/j1"],
  ["another link", "See https://example.com/status", "See https://example.com/status", undefined],
  [
    "a link within",
    "At https://ops.example/#Job?id=j1 it ended",
    "At https://ops.example/#Job?id=j1 it ended",
    undefined,
  ],
  ["no link", "All is well: ", "All is well: ", undefined],
])("a message that ends with %s", (_what, message, text, path) => {
  expect(withoutLink(message)).toEqual(path === undefined ? { text } : { text, path });
});
