/** Next.js, app router: one route, so that the engine is loaded once. */
async function answer(request, { params }) {
  const { handlers } = await import("../../../ops.js");
  const { mount } = await params;
  if (!Object.hasOwn(handlers, mount)) return new Response("Not found", { status: 404 });
  // Next writes the socket's address there, behind what a proxy has said.
  const remoteAddress = request.headers.get("x-forwarded-for")?.split(/, */).at(-1);
  // Next packs answers itself, and takes the header away from those that are packed already.
  const headers = new Headers(request.headers);
  headers.delete("accept-encoding");
  return handlers[mount](new Request(request, { headers, duplex: "half" }), { remoteAddress });
}

export { answer as DELETE, answer as GET, answer as HEAD, answer as OPTIONS, answer as POST, answer as PUT };
export const dynamic = "force-dynamic";
