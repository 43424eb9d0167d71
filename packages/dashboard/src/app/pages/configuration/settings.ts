/** Generated from the schema by `npm run reference`: key, default and meaning of each setting, a tab between. */
export const SETTINGS = `
action_timeout	300	Seconds that one action may take.
airgap.blacklist	[]	Targets that are never reachable in the air gap.
airgap.enabled	false	Restricts outbound requests to the white list.
airgap.whitelist	8 entries	Targets that remain reachable in the air gap.
alert_stale_actions	false	Runs actions for alerts that end for lack of readings.
alert_universal_actions	[{"enabled":true,"hidden":true,"condition":"alert_new","type":"snapshot"}]	Actions of every alert.
api.address_headers	9 entries	Headers by which trusted proxies pass the caller's address; all others are as callers sent them.
api.cors	"compat"	Who answers preflight requests: the router, or the host program behind it.
api.key_length	24	Characters of a new API key.
api.login_bundle	false	Answers a login with all definitions besides, for pages that expect them there.
api.max_body_memory	33554432	Bytes that bodies over 64 KB take at once, as text and parsed, others wait for them; half as much for shorter ones.
api.max_json_size	16777216	Bytes of a JSON body.
api.max_record_size	1048576	Bytes of a stored definition, as JSON.
api.strict	false	Refuses parameters that an operation does not know, instead of naming them in its answer.
api.trusted_proxies	["loopback"]	Addresses, networks, \`loopback\` or \`private\` whose forwarding headers are trusted.
base_api_url	–	Where the API answers, for links that call it; absent = \`<base_app_url>/api\`.
base_app_url	"http://localhost:5522"	Where people reach the service, for links.
checks.allow	[]	Opens targets to checks that are not public, beside \`web_hooks.allow\`, as that does to web hooks.
client.bucket_upload_settings.accepted_file_types	""	Types or endings, separated by commas; empty = all.
client.bucket_upload_settings.max_file_size	1073741824	Bytes of one file.
client.bucket_upload_settings.max_files_per_bucket	100	Files of one record.
client.job_upload_settings.accepted_file_types	""	Types or endings of input files, separated by commas; empty = all.
client.job_upload_settings.max_file_size	1073741824	Bytes of one input file.
client.job_upload_settings.max_files_per_job	100	Input files of one launch.
client.job_upload_settings.plugin_file_expiration	"30 days"	Text duration that files which scheduler plugins give to jobs are kept.
client.job_upload_settings.user_file_expiration	"30 days"	Text duration that input files of callers are kept; \`0\` = until they are removed.
client.name	"Signalbox"	Name of the product: first word of hook texts and mails.
client.new_event_template	2 entries	Initial values of forms for new events; the API adds nothing of it.
client.new_ticket_template	{"status":"open","type":"change","assignees":[],"cc":[],"notify":[],"tags":[]}	Initial values of forms; \`cc\`, \`notify\` and \`due\` also apply to tickets that actions open.
client.ticket_upload_settings.accepted_file_types	""	Types or endings, separated by commas; empty = all.
client.ticket_upload_settings.max_file_size	1073741824	Bytes of one file.
client.ticket_upload_settings.max_files_per_ticket	100	Files of one record.
cluster.beat_sec	2	Seconds between two beats of a node.
cluster.drain_delay_sec	5	Seconds that a node that drains still takes calls while \`/ready\` says no, for balancers to notice.
cluster.host	–	Name of this node's machine, by which satellites reach it; absent = the machine's own.
cluster.redirect_per_sec	200	Satellites that a node that drains sends to others in a second; more where it has over ten times as many.
cluster.silent_sec	12	A node that is silent for so many seconds counts as dead.
db_maint.activity.max_rows	100000	Newest rows of the activity log that are kept by the daily maintenance.
db_maint.alerts.max_rows	100000	Newest alert invocations that are kept by the daily maintenance; live ones stay whatever the number.
db_maint.jobs.max_rows	100000	Newest finished jobs that are kept by the daily maintenance, with logs and files.
db_maint.servers.max_rows	10000	Servers that are kept by the daily maintenance, oldest ids going first; connected ones stay.
db_maint.snapshots.max_age	–	Text duration that snapshots are kept; absent = any age.
db_maint.snapshots.max_rows	100000	Newest snapshots that are kept.
dead_job_timeout	120	Seconds of silence after which a job counts as lost.
debug	false	Checks the answer of every operation against its schema; for tests and development.
default_plugin_credentials.action.gid	""	Group that runs it; empty = the agent's own.
default_plugin_credentials.action.uid	""	User that runs it; empty = the agent's own.
default_plugin_credentials.event.gid	""	Group that runs it; empty = the agent's own.
default_plugin_credentials.event.uid	""	User that runs it; empty = the agent's own.
default_plugin_credentials.monitor.gid	""	Group that runs it; empty = the agent's own.
default_plugin_credentials.monitor.uid	""	User that runs it; empty = the agent's own.
default_plugin_credentials.scheduler.gid	""	Group that runs it; empty = the agent's own.
default_plugin_credentials.scheduler.uid	""	User that runs it; empty = the agent's own.
default_user_prefs	5 entries	Further members of new accounts; ten saved \`searches\` of jobs and tickets unless it names its own.
default_user_privileges	6 entries	Privileges of new accounts.
drain_timeout_sec	0	Seconds that a stop waits for jobs that run inside this process, before they are aborted.
email_format	"html"	Form of mails: HTML beside the plain text, or plain text alone.
email_from	"admin@localhost"	Sender of mails.
email_log_links	true	Lets mails about jobs link to the whole log; anyone who has such a link can read it.
email_logo	"inline"	Picture at the head of mails: the template's; with \`inline\` our own otherwise; \`none\` = never.
file_expiration	"5 years"	Text duration that files of tickets and of \`upload_files\` are kept; \`0\` = for ever.
files.require_auth_for_plain_paths	false	Requires credentials for guessable paths: files of \`upload_files\`, public without it.
hook_env_enabled	false	Lets hook texts read the environment of jobs.
hook_shell_exec	false	Lets hooks run commands on this machine, where the host gives a way to start processes.
hook_text_templates	16 entries	Texts that hooks and mails begin with, by occasion; may contain macros. Texts not given keep their default.
hooks	{}	Hooks for activities and ends of jobs, by action, \`job_\` and condition, or \`*\`: see the guide of jobs.
hostname_display_strip	"\\\\.[\\\\w\\\\-]+\\\\.\\\\w+$"	Pattern of the text to remove from names of servers when they are shown.
ip_display_strip	"^::ffff:"	Pattern of the text to remove from addresses when they are shown.
job_env	{}	Environment of every job.
job_universal_actions	{"default":[{"enabled":true,"condition":"error","type":"snapshot"}],"workflow":[]}	Actions of every job, after the actions of its event and category.
job_universal_limits	{"default":[],"workflow":[]}	Limits of every job, where its event and category set none.
local_api_hostname	"localhost"	Host that local plugins call. Without effect in this version.
locale	"en-US"	BCP 47 name of how texts write numbers and dates.
log_archive_keep	"30 days"	Text duration that packed logs of past days are kept.
mail_settings	{"host":"localhost","port":25}	How mail is sent; the mailer of the host decides. Without effect in this version.
mail_templates	{}	Texts of mails in Markdown, by name, instead of the built-in ones; may contain macros.
maintenance	"04:00"	Local time of the daily clean-up.
max_emails_per_day	0	Mails of jobs, alerts, tickets and people per local day; 0 = unlimited.
max_inline_job_log_size	"1 MB"	Size up to which a job's log is part of its details.
max_jobs_per_min	100	Starts of jobs in one minute, of all events together; 0 = unlimited.
max_jobs_per_workflow	1000	Jobs of one workflow run, ended ones and further attempts among them.
min_startup_trigger_uptime	"5 minutes"	Text duration: startup triggers are skipped when the engine has been up longer.
minute_ring_bytes	–	Bytes of full minutes that are kept in the blob store; 0 = none. Default: 200 MB, none without a blob store.
minute_ring_hours	48	Hours that full minutes are kept.
notices.ack_link_days	7	Days for which the link in a notice acknowledges what the notice named.
notices.enabled	true	Sends notices of firings by routes; without it only actions do.
notices.fallback	""	Id of the receiver notified in place of one that cannot be reached; empty = the administrators.
notices.group_actions	true	Mails and channels of alerts' actions name all servers at once; off = one message per server.
notices.keep_days	30	Days for which notices and decisions are kept.
notices.max_per_hour	600	Notices within an hour, of all receivers; 0 = any number.
notices.parent_wait	120	Seconds at most that a firing waits until the subjects it may depend on are evaluated.
notices.presence_grace	180	Seconds after a start, or a change of the leader, before a silent server is reported.
notices.settle_sec	120	Seconds that a firing has to end by itself after the end of a firing it depends on, or of a job.
notices.watchdog_url	""	Address that is called each minute while notices are decided and delivered in time; empty = none.
ping_freq_sec	5	Seconds between pings to agents; more than 30 count as 30.
ping_timeout_sec	30	Seconds of silence after which an agent is gone.
plugins.local_exec	true	Lets plugins run as processes of this machine, where the host gives a way to start them.
presets	true	Writes the default definitions into a fresh store.
quick_max	60	Quick samples kept per server.
quick_monitors	8 entries	Readings of every second.
redirect_master_requests	–	Redirects calls to the primary. Without effect in this version.
run_event_overrides	"open"	Whether callers of \`run_event\` without \`edit_events\` may override more than parameters and input.
satellite.allow_secret_key_join	true	Lets agents without an id of their own enrol with the secret key.
satellite.base_url	""	Address of the packages of the agent, with \`/latest/download/\` and \`/download/<version>/\` below; empty = nowhere.
satellite.cache_ttl	3600	Seconds that lists and packages of releases are kept.
satellite.config	{}	Members that replace members of the configuration of every agent.
satellite.image	""	Container image of the agent, as \`get_satellite_token\` answers it.
satellite.list_url	""	JSON list of the agent's releases; empty = only the latest is offered.
satellite.secret_key_grace_hours	24	Hours in which agents may still show tokens of an earlier secret key after it was replaced.
satellite.version	"latest"	Release of the agent that is installed and upgraded to.
scheduler_dst	"once"	When clocks change: schedules run once for every local time, or follow local time as it is.
scheduler_stagger_ms	50	Milliseconds between the starts of scheduled jobs that are due at once, on average of a second.
secrets.cache_derived_keys	true	Keeps keys derived from the secret key in memory, ten minutes unused or an hour at most.
secrets.max_value_size	131072	Bytes of one value; the bound of one environment entry on Linux.
stale_alert_timeout	90	Seconds without readings that end an alert.
ticket_upload_settings	–	Bounds of the files of tickets; wins over \`client.ticket_upload_settings\`, member by member.
tickets.date_time_format	"[dddd], [mmmm] [mday], [yyyy] [hour12]:[mi] [ampm]"	How mails write times.
tickets.due_date_format	"[dddd], [mmmm] [mday], [yyyy]"	How mails write days; \`[yyyy]\`, \`[mmm]\` and others are placeholders.
tickets.email_debounce_sec	30	Seconds without a change of a ticket until its mail leaves; ten times as long at most, 0 = at once.
tickets.email_enabled	true	Sends mails about tickets.
tickets.more_statuses	[]	Statuses of tickets beside the built-in ones, each with an id and a title.
tickets.more_types	[]	Types of tickets beside the built-in ones, each with an id and a title.
tickets.overdue_query	"status:open due:<today"	What counts as overdue.
tickets.overdue_schedule	"04:30"	Local time at which assignees of overdue tickets are notified, once a day.
tickets.templates	{}	Texts of tickets that jobs and alerts create, by name, instead of the built-in ones; may contain macros.
timeline_expiration	"10 years"	Text duration that readings are kept.
ttl	300	Seconds that public files may be cached. Without effect in this version.
tz	–	IANA name of the zone of schedules and days; absent = the zone of the process.
User.block_username_match	\`"^(self|system|abuse|admin|administrator|localhost|127.0.0.1|nobody|noreply|root|support|sysadmin|we\` …	Pattern of names that no one may register, without regard to case.
User.cookie_settings	{"path":"/","secure":"auto","httpOnly":true,"sameSite":"Lax"}	Attributes of the session cookie; \`false\` = no cookie, login answers the session id instead.
User.free_accounts	false	Lets anyone register an account.
User.max_failed_logins_per_hour	5	Wrong passwords per account and hour; then it is locked, and guesses of an administrator's are delayed.
User.max_forgot_passwords_per_hour	3	Recovery mails per account and hour.
User.min_password_length	1	Characters of a new password.
User.self_delete	true	Lets users delete their own account.
User.session_expire_days	365	Days without use after which a session ends.
User.use_csrf	true	Asks cookie sessions for their token with every change.
User.valid_username_match	"^[\\\\w\\\\-\\\\.]+$"	Pattern of user names.
web_hook_custom_opts	{}	Default members of every web hook: timeout, retries, headers …
web_hook_dynamic_host	false	Lets macros other than secrets give the host of a hook.
web_hooks.allow_link_local	false	Short for \`link-local\` and \`metadata\` in \`allow\`.
web_hooks.allow	[]	Opens targets that are not public; \`loopback\`, \`private\`, \`link-local\`, \`metadata\` name kinds.
web_hooks.max_deliveries	1000	Firings that failed permanently and are kept, so that they can be sent again.
WebServer.max_upload_size	1073741824	Bytes of any request body.
WebServer.response_headers	{}	Headers of every answer.
WebServer.server_signature	–	Value of the header \`Server\`; absent = none is sent.
`;
