/**
 * The declarations that domains widen the maps of the kernel with. Without these lines the declarations of the package would
 * leave them out, since they name the types of the plugins and not the files that they came from.
 */
import "./directory/activity/index.ts";
import "./fleet/alerts/index.ts";
import "./directory/api-keys/index.ts";
import "./directory/auth/index.ts";
import "./directory/buckets/index.ts";
import "./directory/categories/index.ts";
import "./directory/channels/index.ts";
import "./work/events/index.ts";
import "./work/expectations/index.ts";
import "./work/heartbeats/index.ts";
import "./directory/files/index.ts";
import "./directory/groups/index.ts";
import "./work/graphs/index.ts";
import "./desk/notices/index.ts";
import "./desk/documents/index.ts";
import "./desk/hooks/index.ts";
import "./work/jobs/index.ts";
import "./work/workflows/index.ts";
import "./work/runs/index.ts";
import "./work/schedules/index.ts";
import "./desk/internal-jobs/index.ts";
import "./desk/key-rotation/index.ts";
import "./desk/live/index.ts";
import "./desk/logs/index.ts";
import "./desk/mail/index.ts";
import "./desk/maintenance/index.ts";
import "./fleet/monitors/index.ts";
import "./directory/plugins/index.ts";
import "./desk/references/index.ts";
import "./directory/roles/index.ts";
import "./fleet/satellites/index.ts";
import "./desk/search/index.ts";
import "./directory/secrets/index.ts";
import "./fleet/servers/index.ts";
import "./fleet/silences/index.ts";
import "./fleet/snapshots/index.ts";
import "./directory/state/index.ts";
import "./desk/statistics/index.ts";
import "./desk/system/index.ts";
import "./directory/tags/index.ts";
import "./desk/tickets/index.ts";
import "./desk/transfer/index.ts";
import "./directory/users/index.ts";
import "./directory/web-hooks/index.ts";
