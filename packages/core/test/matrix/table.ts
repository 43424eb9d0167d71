/**
 * Who may do what, written down by hand from the contract (docs/contract/privileges.md#who-may-do-what), so that the
 * matrix compares the engine with something that the engine did not say itself.
 *
 * Columns: operation; access (a privilege id, or one of the kinds below); what a caller meets who is limited to another
 * category; to another group. Operations that are not built yet have their row already.
 *
 * Kinds of access:
 * - anyone: needs no credential and looks at none
 * - unchecked: looks at the credentials itself (login, logout, resume, files)
 * - token: a token in the parameters stands in for a credential
 * - credential: any known caller
 * - session: a signed-in user; keys are refused
 *
 * Limits:
 * - "": none
 * - C, G: the category or group id is named in the refusal; C* and G*: all of them are asked for
 * - T: the refusal names targets; S: it names the server
 * - GL: group-limited callers may not manage monitors or alerts (code `alert`)
 * - F: rows are left out without a word; F*: all of them, whatever the limit is
 * - U: for unrestricted callers only
 */
export const LIMITS = ["", "C", "C*", "G", "G*", "T", "S", "GL", "F", "F*", "U"] as const;
export type Limit = (typeof LIMITS)[number];

export interface Row {
  readonly operation: string;
  readonly access: string;
  readonly category: Limit;
  readonly group: Limit;
}

const ROWS = `
ping                            anyone              -   -
error                           anyone              -   -
echo                            admin               -   -
search_activity                 admin               -   -
search_revision_history         credential          F*  F*
bulk_search_export              credential          U   U
stream_updates                  credential          F   F
get_multiple                    credential          U   U
admin_get_config                admin               -   -
admin_update_config             admin               -   -
get_global_state                credential          -   -
update_global_state             admin               -   -

create_api_key                  admin               -   -
get_api_keys                    admin               -   -
get_api_key                     admin               -   -
update_api_key                  admin               -   -
delete_api_key                  admin               -   -

user/login                      unchecked           -   -
user/logout                     unchecked           -   -
user/resume_session             unchecked           -   -
user/create                     anyone              -   -
user/update                     session             -   -
user/delete                     session             -   -
user/forgot_password            anyone              -   -
user/reset_password             anyone              -   -
user/admin_create               admin               -   -
user/admin_update               admin               -   -
user/admin_delete               admin               -   -
user/admin_get_user             admin               -   -
user/admin_get_users            admin               -   -
get_user_activity               session             -   -
user_settings                   session             -   -
logout_all                      session             -   -
admin_logout_all                admin               -   -

get_roles                       credential          -   -
get_role                        credential          -   -
create_role                     create_roles        -   -
update_role                     edit_roles          -   -
delete_role                     delete_roles        -   -

get_secrets                     credential          -   -
get_secret                      credential          -   -
decrypt_secret                  admin               -   -
create_secret                   admin               -   -
update_secret                   admin               -   -
delete_secret                   admin               -   -
admin_rotate_secret_key         admin               -   -
admin_search_logs               admin               -   -
get_doc                         admin               -   -
search_docs                     admin               -   -
get_master_releases             admin               -   -
admin_upgrade_masters           admin               -   -
master_command                  admin               -   -

get_tags                        credential          -   -
get_tag                         credential          -   -
create_tag                      create_tags         -   -
update_tag                      edit_tags           -   -
delete_tag                      delete_tags         -   -

get_categories                  credential          F   -
get_category                    credential          C   -
create_category                 create_categories   C   -
update_category                 edit_categories     C   -
delete_category                 delete_categories   C   -
multi_update_category           edit_categories     C*  -

get_web_hooks                   credential          -   -
get_web_hook                    credential          -   -
create_web_hook                 create_web_hooks    -   -
update_web_hook                 edit_web_hooks      -   -
delete_web_hook                 delete_web_hooks    -   -
test_web_hook                   edit_web_hooks      -   -
fire_job_web_hook               anyone              -   -
get_web_hook_deliveries         edit_web_hooks      F   F
resend_web_hook_delivery        edit_web_hooks      C   T

get_channels                    credential          -   -
get_channel                     credential          -   -
create_channel                  create_channels     -   -
update_channel                  edit_channels       -   -
delete_channel                  delete_channels     -   -

get_plugins                     credential          -   -
get_plugin                      credential          -   -
create_plugin                   create_plugins      -   -
update_plugin                   edit_plugins        -   -
delete_plugin                   delete_plugins      -   -
test_monitor_plugin             edit_plugins        -   T
test_scheduler_plugin           edit_plugins        -   -

get_buckets                     credential          -   -
get_bucket                      credential          -   -
create_bucket                   create_buckets      -   -
update_bucket                   edit_buckets        -   -
delete_bucket                   delete_buckets      -   -
write_bucket_data               edit_buckets        -   -
upload_bucket_files             edit_buckets        -   -
delete_bucket_file              edit_buckets        -   -
empty_bucket                    edit_buckets        -   -

get_events                      credential          F   F
get_event                       credential          C   T
get_event_history               credential          C   T
preview_event                   edit_events         C   T
explain_event_run               credential          C   T
get_upcoming_runs               credential          C   T
magic                           anyone              -   -
form                            anyone              -   -
form_config                     anyone              -   -
create_event                    create_events       C   T
update_event                    edit_events         C   T
delete_event                    delete_events       C   T
run_event                       run_jobs            C   T

get_job                         credential          C   T
get_jobs                        credential          F   F
get_active_jobs                 credential          F   F
get_active_job_summary          credential          F   F
get_workflow_job_summary        credential          F   F
search_jobs                     credential          F   F
get_job_log                     credential          C   T
tail_live_job_log               credential          C   T
download_job_log                token               -   -
view_job_log                    token               -   -
stream_job                      token               C   T
abort_job                       abort_jobs          C   T
flush_event_queue               abort_jobs          C   T
resume_job                      run_jobs            C   T
delete_job                      delete_jobs         C   T
delete_job_file                 delete_jobs         C   T
bulk_search_delete_jobs         delete_jobs         U   U
upload_job_input_files          run_jobs            -   -
job_skip_delay                  run_jobs            C   T
job_toggle_notify_me            credential          C   T
finish_job                      token               C   T
upload_job_file                 token               C   T
file                            unchecked           -   -
upload_files                    credential          -   -
satellite                       anyone              -   -
get_satellite_token             add_servers         -   -
get_satellite_releases          credential          -   -
admin_upgrade_workers           admin               -   -
update_job                      admin               -   -
manage_job_tags                 tag_jobs            C   T
manage_job_tickets              edit_tickets        C   T

get_monitors                    credential          -   -
get_monitor                     credential          -   -
create_monitor                  create_monitors     -   GL
update_monitor                  edit_monitors       -   GL
delete_monitor                  delete_monitors     -   GL
multi_update_monitor            edit_monitors       -   GL
test_monitor                    edit_monitors       -   GL
get_quickmon_data               credential          -   F
get_latest_monitor_data         credential          -   S
get_historical_monitor_data     credential          -   S

get_active_servers              credential          -   F
get_active_server               credential          -   T
get_server                      credential          -   T
get_servers                     credential          -   F
get_server_summaries            credential          -   F
search_servers                  credential          -   F
update_server                   update_servers      -   S
update_server_data              update_servers      -   S
delete_server                   admin               -   -
watch_server                    create_snapshots    -   T
create_snapshot                 create_snapshots    -   T
delete_snapshot                 delete_snapshots    -   U
get_snapshot                    credential          -   T
search_snapshots                credential          -   F

get_groups                      credential          -   F
get_group                       credential          -   G
create_group                    create_groups       -   G
update_group                    edit_groups         -   G
delete_group                    delete_groups       -   G
multi_update_group              edit_groups         -   G*
create_group_snapshot           create_snapshots    -   G
watch_group                     create_snapshots    -   G

get_alerts                      credential          -   -
get_alert                       credential          -   -
create_alert                    create_alerts       -   GL
update_alert                    edit_alerts         -   GL
test_alert                      edit_alerts         -   GL
delete_alert                    delete_alerts       -   GL
get_alert_invocations           credential          -   F
manage_alert_invocation_tickets edit_tickets        -   GL
delete_alert_invocation         delete_alerts       -   GL
search_alerts                   credential          -   F
acknowledge_alert_invocation    acknowledge_alerts  -   S
unacknowledge_alert_invocation  acknowledge_alerts  -   S
explain_alert                   credential          -   S
backtest_alert                  edit_alerts         -   S
get_silences                    credential          -   F
get_silence                     credential          -   G
create_silence                  silence_alerts      -   G
update_silence                  silence_alerts      -   G
delete_silence                  silence_alerts      -   G
get_checks                      credential          F   -
get_check                       credential          C   -
create_check                    manage_checks       C   -
update_check                    manage_checks       C   -
test_check                      manage_checks       C   -
delete_check                    manage_checks       C   -
get_heartbeats                  credential          F   -
get_heartbeat                   credential          C   -
create_heartbeat                manage_checks       C   -
update_heartbeat                manage_checks       C   -
rotate_heartbeat_token          manage_checks       C   -
delete_heartbeat                manage_checks       C   -
heartbeat                       anyone              -   -
get_receivers                   credential          -   -
get_receiver                    credential          -   -
create_receiver                 manage_routes       -   G*
update_receiver                 manage_routes       -   G*
delete_receiver                 manage_routes       -   G*
test_receiver                   manage_routes       -   G*
get_routes                      credential          -   -
get_route                       credential          -   -
create_route                    manage_routes       C*  G*
update_route                    manage_routes       C*  G*
multi_update_route              manage_routes       C*  G*
delete_route                    manage_routes       C*  G*
test_route                      manage_routes       C*  G*
get_rotas                       credential          -   -
get_rota                        credential          -   -
create_rota                     manage_routes       -   G*
update_rota                     manage_routes       -   G*
delete_rota                     manage_routes       -   G*
add_rota_override               acknowledge_alerts  -   -
remove_rota_override            acknowledge_alerts  -   -
get_problems                    credential          -   F
acknowledge_problem             acknowledge_alerts  -   S
search_notices                  credential          -   F
get_notice                      credential          -   S
explain_notice                  credential          -   S

get_ticket                      credential          C   -
get_tickets                     credential          F   -
search_tickets                  credential          F   -
create_ticket                   create_tickets      C   -
update_ticket                   edit_tickets        C   -
add_ticket_change               edit_tickets        C   -
update_ticket_change            edit_tickets        C   -
upload_user_ticket_files        edit_tickets        C   -
delete_ticket_file              edit_tickets        C   -
run_ticket_event                edit_tickets        C   T
delete_ticket                   delete_tickets      C   -
bulk_search_delete_tickets      delete_tickets      U   U

send_email                      send_emails         -   -
admin_send_test_email           admin               -   -
admin_broadcast_message         admin               -   -
get_internal_jobs               admin               -   -
test_internal_job               admin               -   -
get_transfer_token              admin               -   -
admin_export_data               token               U   U
admin_import_data               admin               -   -
admin_delete_data               admin               -   -
admin_stats                     admin               -   -
dash_stats                      credential          -   -
search_stat_history             credential          -   -
admin_reset_daily_stats         admin               -   -
admin_run_maintenance           admin               -   -
admin_run_optimization          admin               -   -
bulk_search_delete              admin               -   -
`;

/** Throws `Error` for a line that is not a row, and for a second row of an operation. */
export function readTable(text: string = ROWS): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const [operation = "", access = "", category, group, ...rest] = line.trim().split(/\s+/);
    if (group === undefined || rest.length > 0) throw new Error(`Not a row: ${line}`);
    if (rows.has(operation)) throw new Error(`A second row for ${operation}`);
    rows.set(operation, { operation, access, category: limitOf(category), group: limitOf(group) });
  }
  return rows;
}

function limitOf(text: string | undefined): Limit {
  const limit = LIMITS.find((each) => each === (text === "-" ? "" : text));
  if (limit === undefined) throw new Error(`Not a limit: ${String(text)}`);
  return limit;
}
