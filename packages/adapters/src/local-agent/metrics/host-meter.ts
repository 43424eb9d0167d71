import type { Facts } from "./host-facts.ts";
import type { TreeMemory, TreeProcess } from "./processes/process-meter.ts";

/** Runs one part of a sample and records how long it took. */
export type Section = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Measures the machine; one implementation for each family of operating systems. */
export interface HostMeter {
  /** The parts `os`, `memory`, `cpu`, `virt` of the hello message. */
  info(): Promise<Facts>;
  /** The measured parts of the minute sample. */
  minute(section: Section): Promise<Facts>;
  /** Undefined where the system has no cheap readings. */
  quick(): Promise<Facts | undefined>;
  /** Processes of a job; empty where the system cannot list them. `memory` belongs to the job and is kept between calls. */
  tree(pid: number, memory: TreeMemory): Promise<readonly TreeProcess[]>;
  /** Closes the files that stay open between readings. */
  close(): void;
}
