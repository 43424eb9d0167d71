export { type ConformanceRunner, type StorageConformanceOptions, storageConformance } from "./conformance/storage.ts";
export {
  type PropertyLibrary,
  type StorageModelOptions,
  storageModelConformance,
} from "./conformance/storage-model.ts";
export { type FakeClock, fakeClock } from "./fake-clock.ts";
export { type ScriptedAgent, type ScriptedConnect, type ScriptedServer, scriptedAgent } from "./scripted-agent.ts";
