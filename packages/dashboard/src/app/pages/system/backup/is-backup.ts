/** Text that is looked through for the first record: only comments and the header come before it. */
const MOST = 1_000_000;

const isPacked = async (file: Blob): Promise<boolean> => {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return first === 0x1f && second === 0x8b;
};

/** True of a file of records, packed or not. Another one would abort the running jobs and import nothing. */
export async function isBackup(file: Blob): Promise<boolean> {
  const bytes = (await isPacked(file)) ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  const reader = bytes.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    while (text.length < MOST) {
      const { value, done } = await reader.read();
      text += value ?? "";
      if (/^\{/m.test(text)) return true;
      if (done) return false;
    }
    return false;
  } finally {
    await reader.cancel();
  }
}
