/** Speed of this machine at the main cost of long pieces: fresh memory. */

const MEASURED_BYTES = 8_000_000;
const TRIES = 9;
/** Milliseconds that a megabyte takes on a machine by itself. */
export const USUAL_MEMORY_MS = 0.25;

/**
 * Milliseconds that a megabyte of memory takes that the process did not have before, at its best. A machine inside of
 * another one may take 3 ms where a bare one takes 0.25 ms, and a text of 15 MB then takes 45 ms in any program.
 */
export function freshMemoryMs(): number {
  const tries = Array.from({ length: TRIES }, () => {
    const begun = performance.now();
    new Uint8Array(MEASURED_BYTES).fill(1);
    return performance.now() - begun;
  });
  return Math.min(...tries) / (MEASURED_BYTES / 1e6);
}
