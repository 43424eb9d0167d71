/**
 * The declarations that domains widen the maps of the kernel with. Without these lines the declarations of the package would
 * leave them out, since they name the types of the plugins and not the files that they came from.
 */
import "./domains/activity/index.ts";
import "./domains/alerts/index.ts";
import "./domains/api-keys/index.ts";
import "./domains/auth/index.ts";
import "./domains/categories/index.ts";
import "./domains/channels/index.ts";
import "./domains/events/index.ts";
import "./domains/files/index.ts";
import "./domains/groups/index.ts";
import "./domains/hooks/index.ts";
import "./domains/jobs/index.ts";
import "./domains/live/index.ts";
import "./domains/mail/index.ts";
import "./domains/monitors/index.ts";
import "./domains/plugins/index.ts";
import "./domains/references/index.ts";
import "./domains/roles/index.ts";
import "./domains/satellites/index.ts";
import "./domains/search/index.ts";
import "./domains/secrets/index.ts";
import "./domains/servers/index.ts";
import "./domains/silences/index.ts";
import "./domains/snapshots/index.ts";
import "./domains/state/index.ts";
import "./domains/system/index.ts";
import "./domains/tags/index.ts";
import "./domains/tickets/index.ts";
import "./domains/users/index.ts";
import "./domains/web-hooks/index.ts";
