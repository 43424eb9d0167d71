/** Rows of the access table, for the operations of the floor `directory`. */
export const ROWS = `
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

file                            unchecked           -   -
upload_files                    credential          -   -
`;
