/** Rows of the access table, for the operations of the floor `work`. */
export const ROWS = `
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
update_job                      admin               -   -
manage_job_tags                 tag_jobs            C   T
manage_job_tickets              edit_tickets        C   T
`;
