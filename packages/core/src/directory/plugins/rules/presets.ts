import { newStamps } from "../../../wire/fields/stamps.ts";
import type { Field, PluginRecord } from "../model.ts";

type Preset = Pick<PluginRecord, "id" | "title" | "type" | "command"> & Partial<PluginRecord>;
type Extra = Partial<Field>;

export function newPreset(preset: Preset, stamp: { username: string; now: number }): PluginRecord {
  return { notes: "", ...preset, enabled: true, stock: true, ...newStamps(stamp.username, stamp.now) };
}

const field =
  (type: string, common: Extra = {}) =>
  (id: string, title: string, extra: Extra = {}): Field => ({ id, type, title, ...common, ...extra });

const text = field("text", { value: "" });
const number = field("text", { variant: "number" });
const area = field("textarea", { value: "" });
const code = field("code", { value: "" });
const checkbox = field("checkbox", { value: false });
const select = field("select");

const TEST_ACTIONS =
  "Success [success], Error [error], Warning [warning], Critical [critical], Crash [crash], Random [random]";
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";

const TEST_PARAMS: readonly Field[] = [
  text("duration", "Duration", {
    value: "60",
    caption: "How long the test runs, in seconds; a range picks by chance.",
  }),
  select("action", "Result", { value: TEST_ACTIONS }),
  area("custom", "Custom JSON", { caption: "Sent by the test as it is." }),
  checkbox("burn", "Use the CPU"),
  checkbox("network", "Use the network"),
  checkbox("upload", "Upload a file"),
];

const HTTP_PARAMS: readonly Field[] = [
  select("method", "Method", { value: METHODS, required: true }),
  text("url", "URL", { locked: true, required: true, caption: "Begins with http:// or https://." }),
  area("headers", "Headers", { value: "User-Agent: Signalbox", caption: "One per line." }),
  area("data", "Body", { caption: "Sent with POST, PUT and PATCH." }),
  number("timeout", "Timeout", { value: 30, caption: "Seconds until the first byte." }),
  number("idle_timeout", "Idle timeout", { value: 30, caption: "Seconds." }),
  number("connect_timeout", "Connect timeout", { value: 10, caption: "Seconds." }),
  text("success_match", "Success match", { caption: "Pattern that a good answer contains." }),
  text("error_match", "Error match", { caption: "Pattern that a bad answer contains." }),
  checkbox("follow", "Follow redirects"),
  checkbox("download", "Keep the answer as a file"),
  checkbox("ssl_cert_bypass", "Accept any certificate"),
];

const DOCKER_PARAMS: readonly Field[] = [
  text("image_name", "Image", { required: true }),
  text("image_ver", "Version", { value: "latest" }),
  text("cont_name", "Container name"),
  text("cont_cpus", "CPU limit"),
  text("cont_mem", "Memory limit"),
  text("cont_net", "Network"),
  text("cont_extras", "Further arguments", { locked: true }),
  text("cont_cmd", "Command"),
  select("run_mode", "Run", { value: "Command [command], Script [script]" }),
  code("script", "Script", { locked: true }),
  checkbox("cont_init", "Run an init process", { value: true }),
  checkbox("cont_rm", "Remove the container at the end", { value: true }),
  checkbox("verbose", "Log every step"),
];

const event = { type: "event" } as const;

/** Plugin that runs checks from a satellite (docs/contract/monitors.md#from-satellites). */
export const CHECKS_PLUGIN = "signalbox_checks";

/** Plugins of a new installation (docs/contract/plugins.md#presets); agents expect these parameter ids. */
export const DEFAULT_PLUGINS: readonly Preset[] = [
  {
    ...event,
    id: "shellplug",
    title: "Shell Script",
    icon: "console",
    command: "[shell-plugin]",
    kill: "all",
    params: [
      code("script", "Script Source", { locked: true, required: true }),
      checkbox("annotate", "Add Date/Time Stamps to Log"),
    ],
  },
  {
    ...event,
    id: "httpplug",
    title: "HTTP Request",
    icon: "web",
    command: "[http-plugin]",
    kill: "all",
    params: [...HTTP_PARAMS],
  },
  {
    ...event,
    id: "testplug",
    title: "Test Plugin",
    icon: "test-tube",
    command: "[test-plugin]",
    kill: "all",
    params: [...TEST_PARAMS],
  },
  {
    ...event,
    id: "dockerplug",
    title: "Docker Container",
    icon: "docker",
    command: "[docker-plugin]",
    kill: "all",
    params: [...DOCKER_PARAMS],
  },
  {
    ...event,
    id: "hookplug",
    title: "Web Hook",
    icon: "webhook",
    command: "[hook-plugin]",
    kill: "all",
    params: [
      field("system")("web_hook", "Web Hook", { list_id: "web_hooks", required: true, value: "" }),
      area("text", "Text"),
    ],
  },
  {
    type: "monitor",
    id: "open_files",
    title: "Count Open Files",
    command: "/bin/sh",
    script: "cat /proc/sys/fs/file-nr",
    format: "text",
    groups: [],
    uid: "",
    gid: "",
  },
  {
    type: "monitor",
    id: CHECKS_PLUGIN,
    title: "Checks",
    notes:
      "Each server that a check names gets a script of its own, which asks its checks alone. Disabled, none of them asks.",
    command: "/bin/sh",
    script: "",
    format: "json",
    groups: [],
    uid: "",
    gid: "",
  },
];
