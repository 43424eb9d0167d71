export type { Captured, CapturedHook, CapturedMail, HookAnswer } from "./box/captured.ts";
export type { Duration, Moment } from "./box/moment.ts";
export type { TestNode } from "./box/nodes.ts";
export type { TestRun } from "./box/runs.ts";
export type { SampledServer } from "./box/servers/minutes.ts";
export type { TestJob, TestJobResult } from "./box/servers/test-job.ts";
export type { TestServer, TestServerOptions } from "./box/servers/test-server.ts";
export { blobStoreConformance } from "./conformance/blob-store.ts";
export {
  type PropertyLibrary,
  type StorageModelOptions,
  storageModelConformance,
} from "./conformance/histories/storage-model.ts";
export { type ConformanceRunner, type StorageConformanceOptions, storageConformance } from "./conformance/storage.ts";
export { type FakeClock, type FakeClockOptions, fakeClock } from "./fake-clock.ts";
export { type ScriptedAgent, type ScriptedConnect, type ScriptedServer, scriptedAgent } from "./scripted-agent.ts";
export {
  joinToken,
  openSatellite,
  type SatelliteEnd,
  type SatelliteOptions,
  type SatelliteProof,
  type SocketSatellite,
  socketSatellite,
} from "./socket-satellite.ts";
export { createTestSignalbox, type TestSignalbox, type TestSignalboxOptions } from "./test-signalbox.ts";
