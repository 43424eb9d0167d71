/** Rows of the table of who may do what, for the operations of the floor `desk`. */
export const ROWS = `
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

admin_search_logs               admin               -   -
get_doc                         admin               -   -
search_docs                     admin               -   -
get_master_releases             admin               -   -
admin_upgrade_masters           admin               -   -
master_command                  admin               -   -

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
