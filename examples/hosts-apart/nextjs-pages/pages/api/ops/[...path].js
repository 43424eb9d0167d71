/** Next.js, pages router: one route, which reads no body. */
// biome-ignore lint/style/noDefaultExport: Next.js asks for it
export default async function answer(request, response) {
  const { listeners } = await import("../../../ops.js");
  // Next packs answers itself, and takes the header away from those that are packed already.
  delete request.headers["accept-encoding"];
  return listeners[request.query.path[0]](request, response);
}

export const config = { api: { bodyParser: false, externalResolver: true } };
