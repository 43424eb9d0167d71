/** Speed of this machine at the main cost of long pieces of work: fresh memory. */

const MEASURED_BYTES = 8_000_000;
const TRIES = 9;
/** Milliseconds per megabyte on a bare machine. */
export const USUAL_MEMORY_MS = 0.25;

/**
 * Best-case milliseconds per megabyte of memory that is new to the process. A virtual machine may take 3 ms where a bare one
 * takes 0.25 ms, and a text of 15 MB then takes 45 ms in any program.
 */
export function freshMemoryMs(): number {
  const tries = Array.from({ length: TRIES }, () => {
    const begun = performance.now();
    new Uint8Array(MEASURED_BYTES).fill(1);
    return performance.now() - begun;
  });
  return Math.min(...tries) / (MEASURED_BYTES / 1e6);
}
