import { expect, test } from "vitest";
import { keyWith } from "../../../test/engine.ts";
import { startJobs } from "../../testing/test-jobs.ts";

const MARKER = "MARKER";
const marked = { title: MARKER, notes: MARKER };

/** Records that a caller limited to "mine" may read, which name records that this caller may not read. */
async function setUp() {
  const jobs = await startJobs();
  const { api } = jobs.signalbox;
  await api.createCategory({ id: "mine", title: "Mine" });
  await api.createCategory({ id: "theirs", ...marked });
  await api.createGroup({ id: "db", ...marked, hostname_match: "^none$" });
  await jobs.connect({ id: "s1" });
  await jobs.event({ id: "foreign", category: "theirs", targets: ["db"], ...marked });
  const { ticket: other } = await api.createTicket({ subject: MARKER, body: MARKER, category: "theirs" });
  await api.createChannel({ id: "talk", title: "Talk", run_event: "foreign" });
  const actions = [
    { enabled: true, condition: "start", type: "run_event", event_id: "foreign" },
    { enabled: true, condition: "start", type: "channel", channel_id: "talk" },
  ];
  await jobs.event({ id: "own", category: "mine", targets: ["main", "db"], actions });
  const { id: job } = await api.runEvent({ id: "own", tickets: [other.id] } as never);
  await jobs.settle(1);
  const members = { subject: "Own", category: "mine", events: [{ id: "foreign" }] };
  const { ticket } = await api.createTicket(members);
  const groups = ["main"];
  const reader = jobs.signalbox.as(keyWith(["edit_events", "run_jobs"], { categories: ["mine"], groups }));
  return { jobs, api, reader, job, ticket: ticket.id };
}

test("reads of a limited caller hide foreign records that the caller's own records name", async () => {
  const { jobs, api, reader, job, ticket } = await setUp();
  const answers = {
    categories: await reader.getCategories(),
    groups: await reader.getGroups(),
    events: await reader.getEvents({}),
    event: await reader.getEvent({ id: "own" }),
    preview: await reader.previewEvent({ id: "own" }),
    explained: await reader.explainEventRun({ id: "own", minute: jobs.clock.now() } as never),
    history: await reader.getEventHistory({ id: "own" } as never),
    active: await reader.getActiveJobs({}),
    job: await reader.getJob({ id: job }),
    jobs: await reader.searchJobs({ query: "*" } as never),
    ticket: await reader.getTicket({ id: ticket } as never),
    tickets: await reader.searchTickets({ query: "*" } as never),
    channel: await reader.getChannel({ id: "talk" }),
    servers: await reader.getServers({} as never),
  };
  const leaking = Object.entries(answers).filter(([, answer]) => JSON.stringify(answer).includes(MARKER));
  expect(leaking.map(([name]) => name)).toEqual([]);
  expect(JSON.stringify(await api.getEvents({}))).toContain(MARKER);
  await jobs.signalbox.stop();
});
