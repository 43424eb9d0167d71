/** Next.js calls this when its server starts: schedules run before anybody asks for a page. */
export async function register() {
  if (process.env.NEXT_RUNTIME === "nodejs") await import("./ops.js");
}
