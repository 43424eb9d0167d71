/** Rows of the access table, for the operations of the floor `fleet`. */
export const ROWS = `
satellite                       anyone              -   -
get_satellite_token             add_servers         -   -
get_satellite_releases          credential          -   -
admin_upgrade_workers           admin               -   -

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
get_masters                     credential          -   -
drain_node                      admin               -   -
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
get_check_timeline              credential          C   -
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
`;
