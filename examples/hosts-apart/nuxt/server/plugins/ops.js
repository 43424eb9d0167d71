/** `nuxt dev` starts a new thread after each edit of a server file, and closes the former one: its engine stops with it. */
import { signalbox } from "../../../../hosts/ops.ts";

// biome-ignore lint/style/noDefaultExport: Nitro asks for it
export default ({ hooks }) => hooks.hook("close", () => signalbox.stop());
