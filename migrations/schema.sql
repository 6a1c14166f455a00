-- The schema, as the migrations leave it. Written by: npm run schema

create extension pg_trgm;

create domain provider_name as text constraint provider_name_known check (value in ('alpha', 'beta'));

create table account_tenures (
  id bigint not null generated always as identity,
  provider provider_name not null,
  merchant_id text not null,
  tenant_id uuid not null,
  earns_from timestamptz not null,
  ended_at timestamptz,
  to_revoke boolean not null default false,
  constraint account_tenures_pkey primary key (id),
  constraint account_tenures_tenant_id_fkey foreign key (tenant_id) references tenants(id)
);
create index account_tenures_of_account on account_tenures (provider, merchant_id, earns_from);
create unique index account_tenures_one_open_per_account on account_tenures (provider, merchant_id) where (ended_at is null);
create index account_tenures_to_revoke on account_tenures (tenant_id, provider) where to_revoke;

create table audit_log (
  id uuid not null default gen_random_uuid(),
  seq bigint not null generated always as identity,
  actor text not null default 'user',
  actor_user_id uuid,
  operator text,
  action text not null,
  target_type text not null,
  target_id uuid,
  tenant_id uuid,
  reason text,
  before jsonb not null,
  after jsonb not null,
  request_id text not null,
  generated_request_id uuid,
  created_at timestamptz not null default now(),
  constraint audit_log_pkey primary key (id),
  constraint audit_log_one_per_seq unique (seq),
  constraint audit_log_actor_user_id_fkey foreign key (actor_user_id) references users(id),
  constraint audit_log_tenant_id_fkey foreign key (tenant_id) references tenants(id),
  constraint audit_log_action_known check (action in ('wallet.freeze', 'wallet.unfreeze', 'wallet.adjust', 'user.approve', 'user.role', 'user.suspend', 'user.reinstate', 'user.grant_admin', 'user.bootstrap', 'user.erase', 'key.rotate', 'connection.connect', 'connection.disconnect', 'operator.invite', 'operator.withdraw_invite', 'operator.accept', 'operator.remove', 'operator.leave', 'tenant.set_currency', 'tenant.set_time_zone', 'tenant.update', 'tenant.suspend', 'tenant.reinstate', 'tenant.close', 'logo.update', 'logo.delete', 'rule.publish', 'programme.publish', 'campaign.publish', 'campaign.end', 'reward.publish', 'reward.end', 'endpoint.create', 'endpoint.update', 'endpoint.delete', 'endpoint.rotate', 'endpoint.test', 'endpoint.replay', 'event.replay', 'event.dismiss', 'count.repair', 'day.bring_in', 'connection.lost', 'sale.attach', 'import.upload', 'import.withdraw', 'import.approve', 'import.revert', 'goodwill.ask', 'goodwill.withdraw', 'goodwill.decline', 'code.mail')),
  constraint audit_log_actor_known check (actor = 'user' or actor = 'ops' and actor_user_id is null),
  constraint audit_log_adjustments_have_a_reason check (action <> 'wallet.adjust' or reason is not null),
  constraint audit_log_operator_is_ops check (operator is null or actor = 'ops'),
  constraint audit_log_target_known check (target_type in ('wallet', 'user', 'key', 'connection', 'invite', 'tenant', 'rule', 'programme', 'campaign', 'reward', 'endpoint', 'event', 'transaction', 'import'))
);
create index audit_log_by_action on audit_log (action, seq);
create index audit_log_by_actor on audit_log (actor_user_id, created_at);
create index audit_log_by_target on audit_log (target_id, seq);
create index audit_log_by_time on audit_log (created_at, seq);
create index audit_log_of_actor on audit_log (actor_user_id, seq);
create index audit_log_of_actor_by_action on audit_log (actor_user_id, action, seq);
create index audit_log_of_generated_request on audit_log (generated_request_id, seq) where (generated_request_id is not null);
create index audit_log_of_request on audit_log (request_id, seq);
create index audit_log_of_tenant on audit_log (tenant_id, seq);
create index audit_log_of_tenant_by_action on audit_log (tenant_id, action, seq);
create trigger audit_log_append_only before delete or update or truncate on audit_log for each statement execute function refuse_change();
create trigger audit_log_to_remind after insert on audit_log for each row when (new.action = 'connection.lost') execute function note_due_work('remind_of_loss', '1 day');
create trigger audit_log_to_tell after insert on audit_log for each row when ((new.action in ('operator.accept', 'rule.publish', 'endpoint.create', 'endpoint.rotate', 'tenant.set_currency', 'tenant.set_time_zone', 'connection.connect', 'connection.lost', 'user.grant_admin', 'user.bootstrap')) or new.action = 'user.role' and (new.after ->> 'role') = 'admin' and (new.before ->> 'role') <> 'admin' or new.action = 'user.approve' and (new.after ->> 'role') = 'client' or new.action = 'goodwill.decline' or new.action = 'wallet.adjust' and (new.after ->> 'goodwillId') is not null or new.action = 'user.erase' and ((new.after ->> 'status') in ('scheduled', 'withdrawn')) or new.action = 'endpoint.update' and (new.before ->> 'origin') <> (new.after ->> 'origin')) execute function note_due_work('tell_of_change');

create unlogged table call_shares (
  name text not null,
  holder uuid not null,
  units integer not null,
  wants integer not null,
  ends_at timestamptz not null,
  constraint call_shares_once_per_holder primary key (name, holder)
) with (fillfactor=50);

create table campaign_awards (
  campaign_id uuid not null,
  payment_id uuid not null,
  wallet_id uuid not null,
  user_id uuid not null,
  cause text not null,
  first_purchase boolean not null,
  points bigint not null,
  created_at timestamptz not null default now(),
  constraint campaign_awards_campaign_id_fkey foreign key (campaign_id) references campaigns(id),
  constraint campaign_awards_payment_id_fkey foreign key (payment_id) references payments(id),
  constraint campaign_awards_award_some check (cause = 'refund' or points > 0),
  constraint campaign_awards_cause_known check (cause in ('award', 'refund')),
  constraint campaign_awards_not_nothing check (points <> 0)
);
create index campaign_awards_by_time on campaign_awards (campaign_id, created_at) include (points, cause);
create index campaign_awards_of_payment on campaign_awards (payment_id);
create unique index campaign_awards_once_per_payment on campaign_awards (campaign_id, payment_id) where (cause = 'award');
create unique index campaign_awards_one_first_purchase on campaign_awards (campaign_id, user_id) where ((cause = 'award') and first_purchase);
create trigger campaign_awards_append_only before delete or update on campaign_awards for each statement execute function refuse_change();

create table campaign_sums (
  campaign_id uuid not null,
  points bigint not null,
  awards bigint not null,
  settled_before timestamptz not null,
  constraint campaign_sums_pkey primary key (campaign_id),
  constraint campaign_sums_campaign_id_fkey foreign key (campaign_id) references campaigns(id)
) with (fillfactor=50);

create table campaigns (
  id uuid not null,
  tenant_id uuid not null,
  name text not null,
  multiplier numeric(5,3),
  points integer,
  starts_at timestamptz not null,
  ends_at timestamptz,
  days integer[],
  hours jsonb,
  min_spend_minor_units integer not null,
  audience text not null,
  budget_points bigint,
  created_by uuid,
  published_at timestamptz not null,
  ended_at timestamptz,
  constraint campaigns_pkey primary key (id),
  constraint campaigns_created_by_fkey foreign key (created_by) references users(id),
  constraint campaigns_tenant_id_fkey foreign key (tenant_id) references tenants(id),
  constraint campaigns_audience_known check (audience in ('all', 'first_purchase')),
  constraint campaigns_budget_positive check (budget_points > 0),
  constraint campaigns_ends_after_start check (ends_at > starts_at),
  constraint campaigns_min_spend_not_negative check (min_spend_minor_units >= 0),
  constraint campaigns_multiplier_in_range check (multiplier > 1::numeric and multiplier <= 10::numeric),
  constraint campaigns_multiply_or_add check ((multiplier is null) <> (points is null)),
  constraint campaigns_not_too_generous check (points <= min_spend_minor_units),
  constraint campaigns_points_in_range check (points >= 1 and points <= 1000000)
);
create index campaigns_by_end on campaigns (tenant_id, least(ends_at, ended_at, 'infinity'::timestamptz));
create index campaigns_newest_first on campaigns (tenant_id, published_at, id);
create trigger campaigns_only_end before delete or update on campaigns for each row execute function keep_campaign();

create table change_mails (
  entry_id uuid not null,
  user_id uuid not null,
  is_reminder boolean not null default false,
  told_at timestamptz not null default now(),
  constraint change_mails_once_per_person primary key (entry_id, user_id, is_reminder),
  constraint change_mails_user_id_fkey foreign key (user_id) references users(id)
);

create unlogged table code_guesses (
  user_id uuid not null,
  codes jsonb not null default '{}'::jsonb,
  blocked_until timestamptz,
  constraint code_guesses_pkey primary key (user_id),
  constraint code_guesses_user_id_fkey foreign key (user_id) references users(id)
);

create table connection_counts (
  provider text not null,
  slot bigint not null generated by default as identity,
  active bigint not null,
  reconnect bigint not null,
  constraint connection_counts_once_per_slot primary key (provider, slot)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500, fillfactor=50);

create table connection_polls (
  connection_id uuid not null,
  watermark timestamptz not null,
  polled_from timestamptz not null,
  last_polled_at timestamptz,
  leased_until timestamptz,
  lease_holder uuid,
  covered_polls smallint not null default 0,
  lease_run text,
  constraint connection_polls_pkey primary key (connection_id),
  constraint connection_polls_connection_id_fkey foreign key (connection_id) references pos_connections(id),
  constraint connection_polls_leases_are_whole check ((lease_run is null) = (leased_until is null) and (lease_holder is null) = (leased_until is null))
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000, fillfactor=50);

create table due_work (
  kind text not null,
  subject_id uuid not null,
  changed_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  taken_until timestamptz,
  position uuid,
  constraint due_work_once_per_subject primary key (kind, subject_id),
  constraint due_work_kind_known check (kind in ('decide_again', 'match_phones', 'match_signup', 'push_points', 'push_used_code', 'read_account', 'remind_of_loss', 'revoke_authorization', 'run_import', 'tell_of_change', 'tell_of_endpoint', 'tell_of_gap', 'tell_of_import', 'tell_of_points', 'tell_of_unusual', 'tell_of_waiting', 'tell_of_week', 'update_poll_schedule'))
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000, fillfactor=70);
create index due_work_by_time on due_work (kind, due_at);

create table erased_subjects (
  subject_hmac bytea not null,
  erased_at timestamptz not null default now(),
  constraint erased_subjects_pkey primary key (subject_hmac)
);
create index erased_subjects_by_age on erased_subjects (erased_at);

create table erasures (
  id uuid not null,
  user_id uuid not null,
  requested_by uuid,
  points bigint not null,
  requested_at timestamptz not null default now(),
  begins_at timestamptz not null,
  withdrawn_at timestamptz,
  begun_at timestamptz,
  done_at timestamptz,
  constraint erasures_pkey primary key (id),
  constraint erasures_requested_by_fkey foreign key (requested_by) references users(id),
  constraint erasures_user_id_fkey foreign key (user_id) references users(id),
  constraint erasures_begun_before_they_are_done check (done_at is null or begun_at is not null),
  constraint erasures_withdrawn_before_they_begin check (withdrawn_at is null or begun_at is null)
);
create index erasures_by_admin on erasures (requested_by, requested_at) where (requested_by is not null);
create index erasures_done on erasures (done_at) where (done_at is not null);
create index erasures_due on erasures (begins_at) where ((withdrawn_at is null) and (done_at is null));
create unique index erasures_one_per_user on erasures (user_id) where (withdrawn_at is null);

create table event_outcomes (
  id uuid not null,
  tenant_id uuid,
  payment_id uuid,
  received_at timestamptz not null,
  processed_at timestamptz not null default now(),
  attempts integer not null,
  provider text not null,
  outcome text not null,
  outcome_reason text,
  merchant_id text not null,
  event_type text not null,
  correlation_id text not null,
  last_error text,
  provider_payment_id text,
  constraint event_outcomes_pkey primary key (id),
  constraint event_outcomes_outcome_known check (outcome in ('credited', 'stored_anonymous', 'duplicate', 'no_rule_no_credit', 'refund_reversed', 'ignored'))
) partition by range (id);
create index event_outcomes_not_settled on only event_outcomes (provider_payment_id) where (provider_payment_id is not null);
create index event_outcomes_of_payment on only event_outcomes (payment_id) where (payment_id <> id);
create trigger event_outcomes_append_only before delete or update or truncate on event_outcomes for each statement execute function refuse_change();

create table event_outcomes_default partition of event_outcomes default;
create index event_outcomes_default_oldest on event_outcomes_default (received_at);

create table event_outcomes_unordered partition of event_outcomes for values from ('04000000-0000-0000-0000-000000000000') to (maxvalue);
create index event_outcomes_unordered_oldest on event_outcomes_unordered (received_at);

create table event_positions (
  is_only boolean not null default true,
  told xid8 not null default '0'::xid8,
  read xid8 not null default '0'::xid8,
  taken_by uuid,
  taken_until timestamptz,
  constraint event_positions_pkey primary key (is_only),
  constraint event_positions_one_row check (is_only)
) with (fillfactor=50);

create table expiry_notices (
  wallet_id uuid not null,
  month date not null,
  constraint expiry_notices_once_per_month primary key (wallet_id, month)
);

create table expiry_runs (
  tenant_id uuid not null,
  month date not null,
  told_at timestamptz,
  begun_at timestamptz,
  after uuid,
  passed_over boolean not null default false,
  read_at timestamptz,
  open_codes bigint not null default 0,
  reward_factor numeric(8,4),
  finished_at timestamptz,
  skipped text,
  constraint expiry_runs_once_per_month primary key (tenant_id, month),
  constraint expiry_runs_tenant_id_fkey foreign key (tenant_id) references tenants(id),
  constraint expiry_runs_skipped_known check (skipped in ('suspended', 'no_rule'))
);

create table goodwill_requests (
  id uuid not null,
  tenant_id uuid not null,
  wallet_id uuid not null,
  requested_by uuid not null,
  points bigint not null,
  reason text,
  status text not null default 'open',
  answer text,
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  constraint goodwill_requests_pkey primary key (id),
  constraint goodwill_requests_requested_by_fkey foreign key (requested_by) references users(id),
  constraint goodwill_requests_tenant_id_fkey foreign key (tenant_id) references tenants(id),
  constraint goodwill_requests_wallet_id_fkey foreign key (wallet_id) references wallets(id),
  constraint goodwill_requests_answered_if_declined check (answer is null or status = 'declined'),
  constraint goodwill_requests_open_say_why check (status <> 'open' or reason is not null),
  constraint goodwill_requests_open_until_closed check ((status = 'open') = (closed_at is null)),
  constraint goodwill_requests_points_positive check (points > 0),
  constraint goodwill_requests_status_known check (status in ('open', 'granted', 'declined', 'withdrawn'))
);
create index goodwill_requests_newest_first on goodwill_requests (tenant_id, id);
create index goodwill_requests_of_wallet on goodwill_requests (wallet_id, id);
create unique index goodwill_requests_one_open on goodwill_requests (tenant_id, wallet_id) where (status = 'open');
create index goodwill_requests_to_answer on goodwill_requests (id) where (status = 'open');
create trigger goodwill_requests_waiting_to_be_told after insert on goodwill_requests for each row execute function note_who_waits();

create table idempotency_keys (
  user_id uuid not null,
  method text not null,
  path text not null,
  key text not null,
  request_hmac bytea not null,
  status integer not null,
  body text not null,
  body_sealed boolean not null,
  created_at timestamptz not null default now(),
  constraint idempotency_keys_one_answer_per_request primary key (user_id, method, path, key),
  constraint idempotency_keys_user_id_fkey foreign key (user_id) references users(id),
  constraint idempotency_keys_status_final check (status >= 200 and status <= 299 or (status in (404, 422)))
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table import_rows (
  id uuid not null,
  tenant_id uuid not null,
  import_id uuid not null,
  line integer not null,
  points bigint not null,
  contact text not null,
  fingerprint bytea,
  user_id uuid,
  wallet_id uuid,
  state text,
  waits_until timestamptz,
  constraint import_rows_pkey primary key (id),
  constraint import_rows_once_per_line unique (import_id, line),
  constraint import_rows_import_id_fkey foreign key (import_id) references imports(id),
  constraint import_rows_contact_known check (contact in ('email', 'phone')),
  constraint import_rows_contact_until_decided check ((fingerprint is not null) = (coalesce(state, 'waiting') = 'waiting')),
  constraint import_rows_points_positive check (points > 0),
  constraint import_rows_state_known check (state in ('waiting', 'credited', 'repeated', 'dropped', 'reverted')),
  constraint import_rows_wait_for_a_time check ((waits_until is not null) = (coalesce(state, '') = 'waiting')),
  constraint import_rows_wallet_when_credited check ((wallet_id is not null) = (coalesce(state, '') in ('credited', 'reverted')))
);
create index import_rows_by_contact on import_rows (fingerprint) where (fingerprint is not null);
create unique index import_rows_once_per_contact on import_rows (tenant_id, fingerprint) where (state = 'waiting');
create unique index import_rows_once_per_wallet on import_rows (tenant_id, wallet_id) where (state = 'credited');
create index import_rows_overdue on import_rows (waits_until) where (state = 'waiting');

create table imports (
  id uuid not null,
  tenant_id uuid not null,
  status text not null default 'draft',
  row_count integer not null,
  points bigint not null,
  invalid jsonb not null,
  matched integer not null,
  waiting integer not null,
  repeated integer not null,
  not_taken bigint not null default 0,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  approved_at timestamptz,
  constraint imports_pkey primary key (id),
  constraint imports_created_by_fkey foreign key (created_by) references users(id),
  constraint imports_tenant_id_fkey foreign key (tenant_id) references tenants(id),
  constraint imports_approved_unless_draft check ((status in ('draft', 'withdrawn')) = (approved_at is null)),
  constraint imports_counts_not_negative check (least(matched, waiting, repeated) >= 0),
  constraint imports_points_positive check (points > 0),
  constraint imports_status_known check (status in ('draft', 'running', 'done', 'withdrawn', 'reverting', 'reverted')),
  constraint imports_taken_in_part check (not_taken >= 0 and not_taken <= points)
);
create index imports_newest_first on imports (tenant_id, id);

create table installation (
  is_only boolean not null default true,
  kind text not null,
  constraint installation_pkey primary key (is_only),
  constraint installation_has_one_row check (is_only),
  constraint installation_kind_known check (kind in ('production', 'sandbox', 'test'))
);

create table invite_mails (
  tenant_id uuid not null,
  email text not null,
  invite_id uuid not null,
  directory_asked boolean not null default false,
  tried_at timestamptz not null default now(),
  constraint invite_mails_one_per_tenant_and_address primary key (tenant_id, email),
  constraint invite_mails_invite_id_fkey foreign key (invite_id) references invites(id),
  constraint invite_mails_tenant_id_fkey foreign key (tenant_id) references tenants(id)
);
create index invite_mails_by_age on invite_mails (tried_at);

create table invites (
  id uuid not null default gen_random_uuid(),
  tenant_id uuid not null,
  email text,
  ascii_email text,
  status text not null default 'pending',
  email_status text not null,
  invited_by uuid not null,
  accepted_by uuid,
  sent_at timestamptz,
  undeliverable_at timestamptz,
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  lapses_at timestamptz not null default now() + '30 days'::interval,
  constraint invites_pkey primary key (id),
  constraint invites_accepted_by_fkey foreign key (accepted_by) references users(id),
  constraint invites_invited_by_fkey foreign key (invited_by) references users(id),
  constraint invites_tenant_id_fkey foreign key (tenant_id) references tenants(id),
  constraint invites_accepted_by_someone check ((status = 'accepted') = (accepted_by is not null)),
  constraint invites_closed_unless_pending check ((status = 'pending') = (closed_at is null)),
  constraint invites_email_status_known check (email_status in ('sent', 'existing_auth_user')),
  constraint invites_open_name_an_address check (status <> 'pending' or email is not null),
  constraint invites_status_known check (status in ('pending', 'accepted', 'declined', 'withdrawn', 'lapsed'))
);
create index invites_by_tenant on invites (tenant_id, created_at);
create index invites_due on invites (id) where ((status = 'pending') and (sent_at is null) and (undeliverable_at is null));
create index invites_newest_first on invites (tenant_id, created_at desc, id desc) where (status = 'pending');
create unique index invites_one_pending_per_tenant_and_email on invites (coalesce(ascii_email, email), tenant_id) where (status = 'pending');

create table job_runs (
  job text not null,
  completed_at timestamptz not null,
  constraint job_runs_pkey primary key (job)
) with (fillfactor=50);

create table last_events (
  tenant_id uuid not null,
  provider text not null,
  received_at timestamptz not null default now(),
  constraint last_events_pkey primary key (tenant_id, provider)
) with (autovacuum_vacuum_scale_factor=0.05, fillfactor=50);

create table ledger_checkpoints (
  wallet_id uuid not null,
  seq bigint not null,
  balance bigint not null,
  verified_at timestamptz not null default now(),
  head bytea not null,
  constraint ledger_checkpoints_pkey primary key (wallet_id),
  constraint ledger_checkpoints_head_is_sha256 check (length(head) = 32)
) with (autovacuum_vacuum_scale_factor=0.05, fillfactor=80);

create table ledger_entries (
  id uuid not null,
  wallet_id uuid not null,
  source_id uuid not null,
  seq bigint not null,
  points bigint not null,
  balance_after bigint not null,
  created_at timestamptz not null,
  entry_type text not null,
  reason text not null,
  source_type text not null,
  hash bytea not null,
  constraint ledger_entries_pkey primary key (id),
  constraint ledger_entries_one_per_wallet_and_seq unique (wallet_id, seq),
  constraint ledger_entries_balance_not_negative check (balance_after >= 0),
  constraint ledger_entries_hash_is_sha256 check (length(hash) = 32),
  constraint ledger_entries_points_positive check (points > 0),
  constraint ledger_entries_reason_known check (reason in ('purchase', 'redemption', 'redemption_expired', 'payment_refunded', 'admin_adjustment', 'points_expired')),
  constraint ledger_entries_source_known check (source_type in ('payment', 'redemption', 'adjustment', 'expiry')),
  constraint ledger_entries_type_known check (entry_type in ('credit', 'debit'))
) with (autovacuum_analyze_scale_factor=0.005, autovacuum_vacuum_insert_scale_factor=0.01);
create unique index ledger_entries_once_per_source on ledger_entries (source_id, reason) where (reason <> 'payment_refunded');
create index ledger_entries_refunds on ledger_entries (source_id) where (reason = 'payment_refunded');
create trigger ledger_entries_append_only before delete or update or truncate on ledger_entries for each statement execute function refuse_change();

create table ledger_parts (
  walk text not null,
  from_id uuid not null,
  until_id uuid not null,
  row_count bigint not null,
  verified_at timestamptz not null,
  constraint ledger_parts_pkey primary key (walk, from_id),
  constraint ledger_parts_ascend check (from_id < until_id),
  constraint ledger_parts_walk_known check (walk in ('moved', 'wallets', 'payments', 'redemptions', 'adjustments', 'expiries', 'campaigns', 'rewards', 'erasures', 'liability', 'imports', 'counts'))
);

create table ledger_problems (
  walk text not null,
  row_id uuid not null,
  seen_at timestamptz not null default now(),
  constraint ledger_problems_pkey primary key (walk, row_id),
  constraint ledger_problems_walk_known check (walk in ('wallets', 'payments', 'redemptions', 'adjustments', 'expiries', 'campaigns', 'rewards', 'erasures', 'liability', 'imports', 'counts'))
);

create table ledger_statements (
  id uuid not null,
  tenant_id uuid not null,
  number bigint not null,
  day date not null,
  size bigint not null,
  text text not null,
  signature bytea not null,
  created_at timestamptz not null default now(),
  constraint ledger_statements_pkey primary key (id),
  constraint ledger_statements_one_per_number unique (tenant_id, number),
  constraint ledger_statements_tenant_id_fkey foreign key (tenant_id) references tenants(id),
  constraint ledger_statements_number_positive check (number > 0),
  constraint ledger_statements_signature_is_ed25519 check (length(signature) = 64),
  constraint ledger_statements_size_positive check (size > 0)
);
create trigger ledger_statements_append_only before delete or update or truncate on ledger_statements for each statement execute function refuse_change();

create table liability_months (
  tenant_id uuid not null,
  month date not null,
  earned_in date not null,
  earned bigint not null,
  reversed bigint not null,
  used bigint not null,
  expired bigint not null,
  unused bigint not null,
  constraint liability_months_once_per_run primary key (tenant_id, month, earned_in),
  constraint liability_months_of_a_run foreign key (tenant_id, month) references expiry_runs(tenant_id, month),
  constraint liability_months_add_up check ((earned - reversed - used - expired) = unused),
  constraint liability_months_not_negative check (least(earned, reversed, used, expired, unused) >= 0)
);

create table memberships (
  tenant_id uuid not null,
  user_id uuid not null,
  role text not null,
  created_at timestamptz not null default now(),
  constraint memberships_once_per_tenant_and_user primary key (tenant_id, user_id),
  constraint memberships_tenant_id_fkey foreign key (tenant_id) references tenants(id),
  constraint memberships_user_id_fkey foreign key (user_id) references users(id),
  constraint memberships_role_known check (role in ('client', 'pos_operator'))
);
create index memberships_of_tenant on memberships (tenant_id, role, created_at desc, user_id desc);
create index memberships_of_user on memberships (user_id);
create trigger memberships_told_when_changed after update of role on memberships for each row when (new.role = 'pos_operator' and old.role <> 'pos_operator') execute function tell_operator();
create trigger memberships_told_when_joined after insert on memberships for each row when (new.role = 'pos_operator') execute function tell_operator();

create table moved_wallets (
  tenant_id uuid not null,
  wallet_id uuid not null,
  constraint moved_wallets_once_per_wallet primary key (tenant_id, wallet_id)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);

create table notice_choices (
  user_id uuid not null,
  points text not null default 'first',
  weekly boolean not null default true,
  waiting boolean not null default true,
  constraint notice_choices_pkey primary key (user_id),
  constraint notice_choices_user_id_fkey foreign key (user_id) references users(id),
  constraint notice_choices_points_known check (points in ('first', 'each', 'never'))
);
create index notice_choices_each on notice_choices (user_id) where (points = 'each');

create table notice_position (
  is_only boolean not null default true,
  read_until uuid not null,
  constraint notice_position_pkey primary key (is_only),
  constraint notice_position_is_only check (is_only)
) with (fillfactor=50);

create table oauth_attempts (
  id uuid not null,
  tenant_id uuid not null,
  user_id uuid not null,
  provider provider_name not null,
  claimed_merchant_id text,
  sealed_code text,
  status text not null default 'waiting',
  error text,
  account_currency text,
  connection_id uuid not null,
  correlation_id text not null,
  request_id uuid not null,
  expires_at timestamptz not null,
  constraint oauth_attempts_pkey primary key (id),
  constraint oauth_attempts_tenant_id_fkey foreign key (tenant_id) references tenants(id),
  constraint oauth_attempts_failed_say_why check ((status = 'failed') = (error is not null)),
  constraint oauth_attempts_hold_a_code_while_waiting check ((status = 'waiting') = (sealed_code is not null)),
  constraint oauth_attempts_status_known check (status in ('waiting', 'exchanging', 'connected', 'failed'))
);
create index oauth_attempts_by_expiry on oauth_attempts (expires_at);

create table oauth_states (
  nonce uuid not null,
  tenant_id uuid not null,
  user_id uuid not null,
  provider provider_name not null,
  expires_at timestamptz not null,
  constraint oauth_states_pkey primary key (nonce),
  constraint oauth_states_tenant_id_fkey foreign key (tenant_id) references tenants(id),
  constraint oauth_states_user_id_fkey foreign key (user_id) references users(id)
);
create index oauth_states_by_expiry on oauth_states (expires_at);

create table operator_removals (
  tenant_id uuid not null,
  user_id uuid not null,
  removed_by uuid,
  removed_at timestamptz not null default now(),
  constraint operator_removals_removed_by_fkey foreign key (removed_by) references users(id),
  constraint operator_removals_tenant_id_fkey foreign key (tenant_id) references tenants(id),
  constraint operator_removals_user_id_fkey foreign key (user_id) references users(id)
);
create index operator_removals_of_user on operator_removals (user_id, tenant_id);

create table payments (
  id uuid not null,
  tenant_id uuid not null,
  user_id uuid,
  wallet_id uuid,
  amount_minor_units bigint not null,
  tip_minor_units bigint not null,
  refunded_minor_units bigint not null,
  points_awarded bigint not null,
  points_reversed bigint not null default 0,
  points_written_off bigint not null default 0,
  points_owed bigint not null default 0,
  points_absorbed bigint not null default 0,
  occurred_at timestamptz not null,
  changed_at timestamptz not null,
  refunded_as_of timestamptz not null,
  owed_since timestamptz,
  created_at timestamptz not null default now(),
  rule_version integer,
  rule_in_effect integer,
  decision_facts smallint not null,
  provider provider_name not null,
  provider_payment_id text not null,
  provider_customer_id text,
  location_id text,
  currency text not null,
  outcome text not null,
  outcome_reason text,
  email_fingerprint bytea,
  phone_fingerprint bytea,
  decision jsonb not null,
  constraint payments_pkey primary key (id),
  constraint payments_once_per_provider unique (tenant_id, provider, provider_payment_id),
  constraint payments_absorbed_not_negative check (points_absorbed >= 0),
  constraint payments_amount_not_negative check (amount_minor_units >= 0),
  constraint payments_credited_have_a_rule check (outcome <> 'credited' or rule_version is not null and (user_id is null) = (not outcome_reason is distinct from 'before_connection')),
  constraint payments_outcome_known check (outcome in ('credited', 'stored_anonymous', 'no_rule_no_credit')),
  constraint payments_owed_at_most_awarded check (points_owed >= 0 and (points_owed > 0) = (owed_since is not null) and (points_reversed + points_written_off + points_owed + points_absorbed) <= points_awarded),
  constraint payments_points_have_a_wallet check (points_awarded = 0 or wallet_id is not null),
  constraint payments_points_not_negative check (points_awarded >= 0),
  constraint payments_reversed_at_most_awarded check (points_reversed >= 0 and points_written_off >= 0 and (points_reversed + points_written_off) <= points_awarded)
) with (autovacuum_analyze_scale_factor=0.005, autovacuum_vacuum_insert_scale_factor=0.01, autovacuum_vacuum_scale_factor=0.01);
create index payments_absorbing on payments (wallet_id) where (points_absorbed > 0);
create index payments_anonymous_by_email on payments (email_fingerprint) where ((outcome = 'stored_anonymous') and (email_fingerprint is not null));
create index payments_anonymous_by_phone on payments (phone_fingerprint) where ((outcome = 'stored_anonymous') and (phone_fingerprint is not null));
create index payments_before_connection on payments (tenant_id, occurred_at) include (amount_minor_units, currency) where (outcome_reason = 'before_connection');
create index payments_by_time on payments (tenant_id, outcome, occurred_at, id) include (amount_minor_units, currency, points_awarded, points_reversed);
create index payments_newest_first on payments (tenant_id, created_at desc, id desc);
create index payments_of_consumer on payments (tenant_id, user_id, occurred_at, id) where (user_id is not null);
create index payments_owing on payments (wallet_id) where (points_owed > 0);
create index payments_to_decide_again on payments (tenant_id, id) where (outcome_reason in ('currency_mismatch', 'tenant_suspended'));
create index payments_with_fingerprints on payments (created_at) where ((email_fingerprint is not null) or (phone_fingerprint is not null));
create trigger payments_write_awards after update on payments for each row when ((new.decision -> 'awards') is not null) execute function write_awards();

create table pending_events (
  id uuid not null,
  tenant_id uuid not null,
  received_at timestamptz not null default now(),
  next_attempt_at timestamptz not null default now(),
  leased_until timestamptz,
  lease_holder uuid,
  attempts integer not null default 0,
  awaits_connection boolean not null default false,
  is_doubtful boolean not null default false,
  provider provider_name not null,
  merchant_id text not null,
  event_type text not null,
  correlation_id text not null,
  lease_run text,
  last_error text,
  constraint pending_events_pkey primary key (id)
) with (autovacuum_vacuum_cost_delay=0, autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_insert_threshold=20000, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000, fillfactor=70, vacuum_truncate=off);
create index pending_events_awaiting_connection on pending_events (tenant_id, provider) where awaits_connection;
create index pending_events_backing_off on pending_events (awaits_connection, received_at) where (attempts > 0);
create index pending_events_due on pending_events (next_attempt_at);
create index pending_events_failing on pending_events (tenant_id, received_at) where (last_error is not null);
create index pending_events_poisoned on pending_events (id) where (attempts >= 5);

create table point_expiries (
  id uuid not null,
  tenant_id uuid not null,
  wallet_id uuid not null,
  month date not null,
  earned_by date not null,
  points bigint not null,
  created_at timestamptz not null default now(),
  constraint point_expiries_pkey primary key (id),
  constraint point_expiries_earned_before check (earned_by <= month),
  constraint point_expiries_points_positive check (points > 0)
);
create index point_expiries_by_month on point_expiries (tenant_id, month) include (points);
create index point_expiries_of_wallet on point_expiries (wallet_id, month);
create trigger point_expiries_append_only before delete or update or truncate on point_expiries for each statement execute function refuse_change();

create table poll_positions (
  connection_id uuid not null,
  location_id text not null,
  at timestamptz not null,
  payment_id text,
  is_at_end boolean not null,
  polled_at timestamptz not null default now(),
  constraint poll_positions_one_per_location primary key (connection_id, location_id),
  constraint poll_positions_connection_id_fkey foreign key (connection_id) references pos_connections(id)
);

create table pos_connections (
  id uuid not null default gen_random_uuid(),
  tenant_id uuid not null,
  provider provider_name not null,
  merchant_id text not null,
  status text not null,
  sealed_access_token text,
  sealed_refresh_token text,
  token_expires_at timestamptz,
  token_refreshed_at timestamptz not null default now(),
  refresh_holder uuid,
  refreshing_until timestamptz,
  needs_reconnect_since timestamptz,
  account_name text,
  location_countries jsonb not null default '{}'::jsonb,
  last_error text,
  ask_again_at timestamptz,
  away_at timestamptz,
  away_count integer not null default 0,
  probing_until timestamptz,
  gap_since timestamptz,
  gap_found_at timestamptz,
  gap_payments integer,
  gap_asked_at timestamptz,
  gap_told_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint pos_connections_pkey primary key (id),
  constraint pos_connections_one_per_tenant_and_provider unique (tenant_id, provider),
  constraint pos_connections_tenant_id_fkey foreign key (tenant_id) references tenants(id),
  constraint pos_connections_active_have_a_token check (status <> 'active' or sealed_access_token is not null),
  constraint pos_connections_status_known check (status in ('active', 'disconnected'))
);
create index pos_connections_away on pos_connections (provider, ask_again_at) where (ask_again_at is not null);
create index pos_connections_lost on pos_connections (needs_reconnect_since) where (needs_reconnect_since is not null);
create unique index pos_connections_one_active_per_merchant on pos_connections (provider, merchant_id) where (status = 'active');
create index pos_connections_polled on pos_connections (id) where (status = 'active');
create trigger pos_connections_counted_at_delete after delete on pos_connections referencing old table as before_it for each statement execute function count_connections_at_delete();
create trigger pos_connections_counted_at_insert after insert on pos_connections referencing new table as after_it for each statement execute function count_connections_at_insert();
create trigger pos_connections_counted_at_update after update on pos_connections referencing old table as before_it new table as after_it for each statement execute function count_connections_at_update();
create trigger pos_connections_countries_known after update of location_countries on pos_connections for each row when (old.location_countries <> new.location_countries) execute function hasten_phones('tenant_id');
create trigger pos_connections_recorded_when_lost after update of needs_reconnect_since on pos_connections for each row when (old.needs_reconnect_since is null and new.needs_reconnect_since is not null and new.status = 'active') execute function record_lost_connection();
create trigger pos_connections_schedule_changed after update of status, needs_reconnect_since on pos_connections for each row when (old.status <> new.status or (old.needs_reconnect_since is null) <> (new.needs_reconnect_since is null)) execute function note_due_work('update_poll_schedule');
create trigger pos_connections_schedule_created after insert on pos_connections for each row execute function note_due_work('update_poll_schedule');
create trigger pos_connections_tenures_kept after insert or update of status, merchant_id on pos_connections for each row execute function keep_account_tenures();
create trigger pos_connections_told_when_changed after update of status, needs_reconnect_since on pos_connections for each row when ((old.status = 'active' and old.needs_reconnect_since is null) <> (new.status = 'active' and new.needs_reconnect_since is null)) execute function tell_connection();
create trigger pos_connections_told_when_made after insert on pos_connections for each row when (new.status = 'active' and new.needs_reconnect_since is null) execute function tell_connection();
create trigger pos_connections_works_again after update of status, ask_again_at, needs_reconnect_since, merchant_id on pos_connections for each row when (new.status = 'active' and new.ask_again_at is null and new.needs_reconnect_since is null and (not (old.status = 'active' and old.ask_again_at is null and old.needs_reconnect_since is null) or new.merchant_id <> old.merchant_id)) execute function note_waiting_check();
create trigger pos_connections_works_at_once after insert on pos_connections for each row when (new.status = 'active' and new.ask_again_at is null and new.needs_reconnect_since is null) execute function note_waiting_check();

create table programme_versions (
  id uuid not null,
  tenant_id uuid not null,
  version integer not null,
  time_zone text not null,
  validity_months integer,
  expiry_notice_days integer not null,
  return_window_days integer not null,
  till_attach boolean not null,
  tiers jsonb not null default '[]'::jsonb,
  created_by uuid,
  published_at timestamptz not null,
  constraint programme_versions_pkey primary key (id),
  constraint programme_versions_one_row_per_version unique (tenant_id, version),
  constraint programme_versions_created_by_fkey foreign key (created_by) references users(id),
  constraint programme_versions_tenant_id_fkey foreign key (tenant_id) references tenants(id),
  constraint programme_versions_notice_in_range check (expiry_notice_days >= 7 and expiry_notice_days <= 60),
  constraint programme_versions_tiers_few check (jsonb_typeof(tiers) = 'array' and jsonb_array_length(tiers) <= 5),
  constraint programme_versions_time_zone_is_a_name check (time_zone ~ '^[A-Z][A-Za-z0-9_+/-]+$'),
  constraint programme_versions_validity_in_range check (validity_months >= 1 and validity_months <= 120),
  constraint programme_versions_version_from_one check (version >= 1),
  constraint programme_versions_window_in_range check (return_window_days >= 0 and return_window_days <= 90),
  constraint programme_versions_window_within_validity check (return_window_days <= (14 * validity_months))
);
create index programme_versions_by_time on programme_versions (tenant_id, published_at, version) include (return_window_days);
create trigger programme_versions_append_only before delete or update or truncate on programme_versions for each statement execute function refuse_change();

create table push_subscriptions (
  id uuid not null,
  user_id uuid not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  pushed text,
  created_at timestamptz not null default clock_timestamp(),
  constraint push_subscriptions_pkey primary key (id),
  constraint push_subscriptions_once_per_browser unique (endpoint),
  constraint push_subscriptions_user_id_fkey foreign key (user_id) references users(id),
  constraint push_subscriptions_endpoint_short check (length(endpoint) <= 1024)
);
create index push_subscriptions_of_user on push_subscriptions (user_id, created_at);

create unlogged table rate_limits (
  key character varying(255) not null,
  points integer not null default 0,
  expire bigint,
  constraint rate_limits_pkey primary key (key)
) with (fillfactor=50);

create table redemptions (
  id uuid not null,
  tenant_id uuid not null,
  wallet_id uuid not null,
  user_id uuid not null,
  used_by uuid,
  reward_id uuid,
  followed_by uuid,
  points bigint not null,
  discount_value_minor_units bigint not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  expired_at timestamptz,
  cancelled_at timestamptz,
  next_expiry_at timestamptz,
  followed_at timestamptz,
  code_mailed_at timestamptz,
  expiry_told_at timestamptz,
  rule_version integer not null,
  failed_expiries integer not null default 0,
  code_resent integer not null default 0,
  points_returned boolean not null default false,
  status text not null default 'issued',
  currency text,
  code_key_id text not null,
  code_hmac bytea not null,
  sealed_code text,
  constraint redemptions_pkey primary key (id),
  constraint redemptions_code_once unique (code_hmac),
  constraint redemptions_reward_id_fkey foreign key (reward_id) references rewards(id),
  constraint redemptions_cancelled_expire_then check (cancelled_at is null or cancelled_at < expires_at and not expired_at is distinct from cancelled_at and points_returned),
  constraint redemptions_closed_hold_no_code check ((status = 'issued') = (sealed_code is not null)),
  constraint redemptions_code_hmac_is_sha256 check (length(code_hmac) = 32),
  constraint redemptions_currency_is_a_code check (currency ~ '^[A-Z]{3}$'),
  constraint redemptions_discount_positive check (discount_value_minor_units > 0 or discount_value_minor_units = 0 and reward_id is not null),
  constraint redemptions_expire_after_issue check (expires_at > created_at),
  constraint redemptions_expired_say_when check ((status = 'expired') = (expired_at is not null)),
  constraint redemptions_expired_when_due_or_cancelled check (expired_at >= expires_at or cancelled_at is not null),
  constraint redemptions_only_expired_return_points check (status = 'expired' or not points_returned),
  constraint redemptions_points_positive check (points > 0),
  constraint redemptions_status_known check (status in ('issued', 'used', 'expired')),
  constraint redemptions_used_before_expiry check (used_at < expires_at),
  constraint redemptions_used_say_when_and_by_whom check ((status = 'used') = (used_at is not null) and (status = 'used') = (used_by is not null))
) with (autovacuum_analyze_scale_factor=0.005, autovacuum_vacuum_insert_scale_factor=0.01, autovacuum_vacuum_scale_factor=0.01, fillfactor=80);
create index redemptions_of_reward on redemptions (reward_id, user_id) where (reward_id is not null);
create index redemptions_of_tenant on redemptions (tenant_id, status, created_at, id);
create index redemptions_of_wallet on redemptions (wallet_id, status, created_at, id);
create index redemptions_open on redemptions (expires_at) where (status = 'issued');
create index redemptions_returned on redemptions (tenant_id, expired_at) include (points) where points_returned;
create index redemptions_unfollowed on redemptions (id) where ((status <> 'used') and (followed_at is null));
create index redemptions_unmailed on redemptions (id) where ((status = 'issued') and (code_mailed_at is null));
create index redemptions_untold on redemptions (id) where ((status = 'expired') and (expiry_told_at is null));
create index redemptions_used_in_shop on redemptions (tenant_id, used_at, id) include (points) where (status = 'used');
create trigger redemptions_close_once before update on redemptions for each row when (old.status <> 'issued' and (new.status is distinct from old.status or new.used_at is distinct from old.used_at or new.used_by is distinct from old.used_by or new.expired_at is distinct from old.expired_at or new.points_returned is distinct from old.points_returned)) execute function refuse_second_closing();
create trigger redemptions_stay before delete or truncate on redemptions for each statement execute function refuse_change();
create trigger redemptions_told_when_closed after update of status on redemptions for each row when (old.status = 'issued' and new.status <> 'issued') execute function tell_redemption();
create trigger redemptions_told_when_issued after insert on redemptions for each row execute function tell_redemption();
create trigger redemptions_used_pushed after update of status on redemptions for each row when (old.status <> 'used' and new.status = 'used') execute function note_used_code();

create table rehearsals (
  id uuid not null,
  tenant_id uuid not null,
  status text not null default 'running',
  draft jsonb not null,
  result jsonb,
  created_by uuid,
  created_at timestamptz not null default now(),
  constraint rehearsals_pkey primary key (id),
  constraint rehearsals_created_by_fkey foreign key (created_by) references users(id),
  constraint rehearsals_tenant_id_fkey foreign key (tenant_id) references tenants(id),
  constraint rehearsals_result_when_done check ((result is not null) = (status = 'done')),
  constraint rehearsals_status_known check (status in ('running', 'done', 'failed', 'cancelled'))
);
create index rehearsals_by_age on rehearsals (created_at);
create index rehearsals_newest_first on rehearsals (tenant_id, id);
create unique index rehearsals_one_running_per_tenant on rehearsals (tenant_id) where (status = 'running');

create table reward_rules (
  id uuid not null default gen_random_uuid(),
  tenant_id uuid not null,
  version integer not null,
  conversion_rate numeric(13,6) not null,
  min_spend_minor_units integer not null,
  max_points_per_transaction integer,
  min_balance_to_redeem integer not null,
  max_redemption_percentage numeric(9,6) not null,
  rounding_policy text not null,
  effective_from timestamptz not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  constraint reward_rules_pkey primary key (id),
  constraint reward_rules_one_row_per_version unique (tenant_id, version),
  constraint reward_rules_created_by_fkey foreign key (created_by) references users(id),
  constraint reward_rules_tenant_id_fkey foreign key (tenant_id) references tenants(id),
  constraint reward_rules_cap_not_negative check (max_points_per_transaction >= 0),
  constraint reward_rules_min_balance_not_negative check (min_balance_to_redeem >= 0),
  constraint reward_rules_min_spend_not_negative check (min_spend_minor_units >= 0),
  constraint reward_rules_percentage_in_range check (max_redemption_percentage > 0::numeric and max_redemption_percentage <= 100::numeric),
  constraint reward_rules_rate_positive check (conversion_rate > 0::numeric),
  constraint reward_rules_rounding_known check (rounding_policy in ('floor', 'ceil', 'round')),
  constraint reward_rules_version_from_one check (version >= 1)
);
create trigger reward_rules_append_only before delete or update or truncate on reward_rules for each statement execute function refuse_change();
create trigger reward_rules_told_when_published after insert on reward_rules for each row execute function tell_rule();

create table rewards (
  id uuid not null,
  tenant_id uuid not null,
  name text not null,
  kind text not null,
  price_points integer not null,
  value_minor_units integer not null,
  stock integer,
  taken integer not null default 0,
  ends_at timestamptz,
  created_by uuid,
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint rewards_pkey primary key (id),
  constraint rewards_created_by_fkey foreign key (created_by) references users(id),
  constraint rewards_tenant_id_fkey foreign key (tenant_id) references tenants(id),
  constraint rewards_kind_known check (kind in ('amount', 'item')),
  constraint rewards_not_too_generous check (value_minor_units <= (10 * price_points)),
  constraint rewards_price_positive check (price_points > 0),
  constraint rewards_stock_positive check (stock > 0),
  constraint rewards_taken_in_stock check (taken >= 0 and taken <= stock),
  constraint rewards_value_positive check (value_minor_units > 0)
);
create index rewards_by_end on rewards (tenant_id, least(ends_at, ended_at, 'infinity'::timestamptz));
create index rewards_newest_first on rewards (tenant_id, created_at, id);
create trigger rewards_keep_their_terms before delete or update on rewards for each row execute function keep_reward();

create table sale_attachments (
  payment_id uuid not null,
  tenant_id uuid not null,
  user_id uuid not null,
  operator_id uuid not null,
  created_at timestamptz not null default now(),
  constraint sale_attachments_pkey primary key (payment_id),
  constraint sale_attachments_operator_id_fkey foreign key (operator_id) references users(id),
  constraint sale_attachments_payment_id_fkey foreign key (payment_id) references payments(id),
  constraint sale_attachments_tenant_id_fkey foreign key (tenant_id) references tenants(id),
  constraint sale_attachments_user_id_fkey foreign key (user_id) references users(id)
);
create index sale_attachments_by_operator on sale_attachments (operator_id, created_at desc, payment_id desc);
create index sale_attachments_newest_first on sale_attachments (tenant_id, created_at desc, payment_id desc);
create index sale_attachments_of_member on sale_attachments (user_id, created_at desc, payment_id desc);

create table signed_heads (
  wallet_id uuid not null,
  tenant_id uuid not null,
  number bigint not null,
  seq bigint not null,
  head bytea not null,
  constraint signed_heads_pkey primary key (wallet_id),
  constraint signed_heads_head_is_sha256 check (length(head) = 32)
) with (autovacuum_vacuum_scale_factor=0.05, fillfactor=80);

create table stalled_events (
  id uuid not null,
  tenant_id uuid,
  received_at timestamptz not null default now(),
  attempts integer not null default 0,
  provider provider_name not null,
  merchant_id text not null,
  event_type text not null,
  correlation_id text not null,
  last_error text,
  constraint stalled_events_pkey primary key (id)
) with (vacuum_truncate=off);
create index stalled_events_failing on stalled_events (tenant_id, received_at) where (last_error is not null);
create index stalled_events_given_up on stalled_events (received_at) where (tenant_id is not null);
create index stalled_events_of_tenant on stalled_events (tenant_id, received_at) where (tenant_id is not null);
create index stalled_events_unclaimed on stalled_events (provider, merchant_id, received_at) where (tenant_id is null);
create index stalled_events_unclaimed_oldest on stalled_events (received_at) where (tenant_id is null);

create table statement_progress (
  is_only boolean not null default true,
  day date not null,
  next_id uuid not null,
  until_id uuid,
  following_id uuid not null,
  verified_id uuid,
  constraint statement_progress_pkey primary key (is_only),
  constraint statement_progress_is_one_row check (is_only)
) with (fillfactor=50);

create table tenant_balances (
  tenant_id uuid not null,
  balances bigint not null,
  added_up_at timestamptz not null,
  constraint tenant_balances_pkey primary key (tenant_id),
  constraint tenant_balances_tenant_id_fkey foreign key (tenant_id) references tenants(id),
  constraint tenant_balances_not_negative check (balances >= 0)
);

create table tenant_counts (
  tenant_id uuid not null,
  counted text not null,
  number bigint not null,
  created_before timestamptz not null,
  constraint tenant_counts_once_per_tenant primary key (tenant_id, counted),
  constraint tenant_counts_tenant_id_fkey foreign key (tenant_id) references tenants(id),
  constraint tenant_counts_known check (counted in ('wallets', 'payments')),
  constraint tenant_counts_not_negative check (number >= 0)
) with (fillfactor=80);

create table tenant_events (
  id uuid not null default new_row_id(),
  tenant_id uuid not null,
  xid xid8 not null default pg_current_xact_id(),
  type text not null,
  occurred_at timestamptz not null default now(),
  data jsonb not null,
  constraint tenant_events_pkey primary key (id),
  constraint tenant_events_type_known check (type in ('points.credited', 'points.reversed', 'points.adjusted', 'points.expired', 'redemption.issued', 'redemption.used', 'redemption.expired', 'connection.active', 'connection.lost', 'connection.gap', 'operator.joined', 'rule.published', 'tier.changed'))
) with (autovacuum_vacuum_insert_scale_factor=0, autovacuum_vacuum_insert_threshold=50000, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=20000);
create index tenant_events_of_redemption on tenant_events (((data ->> 'redemptionId'))) where ((data ->> 'redemptionId') is not null);
create index tenant_events_of_tenant on tenant_events (tenant_id, xid, id);
create index tenant_events_settled on tenant_events (xid, id);

create table tenants (
  id uuid not null default gen_random_uuid(),
  name text not null,
  country text,
  time_zone text,
  has_programme boolean not null default false,
  currency text,
  logo_path text,
  color text,
  onboarding jsonb not null default '{}'::jsonb,
  tells_events boolean not null default false,
  unusual_told_at timestamptz,
  tiers_decided_on date,
  suspended_at timestamptz,
  closed_at timestamptz,
  status text not null default 
case
    when suspended_at is null then 'active'
    else 'suspended'
end,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint tenants_pkey primary key (id),
  constraint tenants_closed_are_suspended check (closed_at is null or suspended_at is not null),
  constraint tenants_color_is_hex check (color ~ '^#[0-9a-f]{6}$'),
  constraint tenants_country_is_alpha_2 check (country ~ '^[A-Z]{2}$'),
  constraint tenants_currency_is_a_code check (currency ~ '^[A-Z]{3}$'),
  constraint tenants_time_zone_is_a_name check (time_zone ~ '^[A-Z][A-Za-z0-9_+/-]+$')
);
create index tenants_newest_first on tenants (created_at desc, id desc);
create index tenants_with_programme on tenants (id) where has_programme;
create trigger tenants_country_known after update of country on tenants for each row when (old.country is null and new.country is not null) execute function hasten_phones('id');
create trigger tenants_summed_up_weekly after insert on tenants for each row execute function note_due_work('tell_of_week', '1 day');

create table truth_days (
  connection_id uuid not null,
  day date not null,
  tenant_id uuid not null,
  status text not null,
  provider_count integer not null default 0,
  provider_amount_minor_units bigint not null default 0,
  provider_refunded_minor_units bigint not null default 0,
  our_count integer not null default 0,
  our_amount_minor_units bigint not null default 0,
  our_refunded_minor_units bigint not null default 0,
  missing integer not null default 0,
  changed integer not null default 0,
  unknown integer not null default 0,
  repaired integer not null default 0,
  checked_at timestamptz not null default now(),
  constraint truth_days_once_per_day primary key (connection_id, day),
  constraint truth_days_connection_id_fkey foreign key (connection_id) references pos_connections(id),
  constraint truth_days_tenant_id_fkey foreign key (tenant_id) references tenants(id),
  constraint truth_days_status_known check (status in ('agrees', 'repaired', 'differs', 'unavailable'))
);
create index truth_days_by_day on truth_days (day);

create table unstored_statements (
  statement_id uuid not null,
  body text not null,
  constraint unstored_statements_pkey primary key (statement_id)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);

create table users (
  id uuid not null default gen_random_uuid(),
  iss text not null,
  sub text not null,
  role text not null,
  status text not null,
  status_before_suspension text,
  name text,
  language text,
  email text,
  email_verified boolean not null default false,
  email_verified_at timestamptz,
  email_proof bytea,
  ascii_email text,
  phone text,
  phone_verified boolean not null default false,
  phone_verified_at timestamptz,
  phone_proof bytea,
  contacts_issued_at timestamptz,
  bootstrapped_as text,
  member_number text,
  member_rotations timestamptz[] not null default '{}'::timestamptz[],
  data_exports timestamptz[] not null default '{}'::timestamptz[],
  application jsonb,
  erased_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint users_pkey primary key (id),
  constraint users_bootstrap_once_per_email unique (bootstrapped_as),
  constraint users_one_per_member_number unique (member_number),
  constraint users_one_per_subject unique (iss, sub),
  constraint users_application_is_an_object check (jsonb_typeof(application) = 'object'),
  constraint users_apply_until_they_are_merchants check (application is null or role = 'client' and status <> 'active'),
  constraint users_ascii_email_is_of_an_email check (ascii_email is null or email is not null),
  constraint users_language_known check (language in ('en', 'de')),
  constraint users_prove_no_contact_that_is_there check ((email is null or email_proof is null) and (phone is null or phone_proof is null)),
  constraint users_role_known check (role in ('consumer', 'client', 'pos_operator', 'admin')),
  constraint users_status_before_suspension_known check (status_before_suspension in ('active', 'pending_approval')),
  constraint users_status_known check (status in ('active', 'pending_approval', 'suspended'))
);
create index users_admins on users (id) where (role = 'admin');
create index users_by_email on users (email text_pattern_ops) where (length(email) <= 320);
create index users_by_mailbox on users (split_part(email, '@', 2) text_pattern_ops, reverse(split_part(email, '@', 1)) text_pattern_ops) where (length(email) <= 320);
create index users_by_part_of_email on users using gin (email gin_trgm_ops);
create index users_by_part_of_phone on users using gin (phone gin_trgm_ops);
create index users_by_phone on users (phone text_pattern_ops);
create index users_newest_first on users (created_at desc, id);
create index users_pending_approval on users (created_at desc, id) where (status = 'pending_approval');
create index users_verified_email on users (coalesce(ascii_email, email), created_at) where email_verified;
create index users_verified_phone on users (phone, created_at) where phone_verified;
create trigger users_to_match_changed after update of email, email_verified, phone, phone_verified, role on users for each row when ((new.email_verified or new.phone_verified) and (old.email is distinct from new.email or old.email_verified is distinct from new.email_verified or old.phone is distinct from new.phone or old.phone_verified is distinct from new.phone_verified or old.role is distinct from new.role)) execute function note_due_work('match_signup');
create trigger users_to_match_created after insert on users for each row when (new.email_verified or new.phone_verified) execute function note_due_work('match_signup');
create trigger users_waiting_to_be_told after insert on users for each row when (new.status = 'pending_approval') execute function note_who_waits();

create table waiting_checks (
  tenant_id uuid not null,
  provider text not null,
  changed_at timestamptz not null default clock_timestamp(),
  constraint waiting_checks_once_per_connection primary key (tenant_id, provider)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000, fillfactor=70);
create index waiting_checks_oldest on waiting_checks (changed_at);

create table wallet_standings (
  wallet_id uuid not null,
  tenant_id uuid not null,
  tier_key text not null,
  since date not null,
  kept_until date not null,
  decided_on date not null,
  constraint wallet_standings_pkey primary key (wallet_id),
  constraint wallet_standings_tenant_id_fkey foreign key (tenant_id) references tenants(id),
  constraint wallet_standings_kept_after_start check (kept_until > since)
);
create index wallet_standings_by_term on wallet_standings (tenant_id, kept_until);

create table wallets (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  tenant_id uuid not null,
  balance bigint not null default 0,
  owed bigint not null default 0,
  seq bigint not null default 0,
  head bytea not null default decode(repeat('00', 32), 'hex'),
  status text not null default 'active',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  closed_at timestamptz,
  constraint wallets_pkey primary key (id),
  constraint wallets_one_per_user_and_tenant unique (user_id, tenant_id),
  constraint wallets_balance_exact_in_json check (balance <= '9007199254740991'::bigint),
  constraint wallets_balance_not_negative check (balance >= 0),
  constraint wallets_closed_hold_nothing check (closed_at is null or balance = 0 and owed = 0 and status = 'frozen'),
  constraint wallets_head_is_sha256 check (length(head) = 32),
  constraint wallets_owed_not_negative check (owed >= 0),
  constraint wallets_status_known check (status in ('active', 'frozen'))
) with (autovacuum_vacuum_scale_factor=0.01, fillfactor=70);
create index wallets_newest_first on wallets (tenant_id, created_at desc, id desc);
create index wallets_owing on wallets (tenant_id, created_at desc, id desc) include (owed) where (owed > 0);

create table webhook_bodies (
  id uuid not null,
  received_at timestamptz not null default now(),
  encoding smallint,
  body bytea not null,
  constraint webhook_bodies_pkey primary key (id)
) partition by range (id);
create trigger webhook_bodies_stay_as_received before delete or update or truncate on webhook_bodies for each statement execute function refuse_change();

create table webhook_bodies_default partition of webhook_bodies default;
create index webhook_bodies_default_oldest on webhook_bodies_default (received_at);

create table webhook_bodies_unordered partition of webhook_bodies for values from ('04000000-0000-0000-0000-000000000000') to (maxvalue);
create index webhook_bodies_unordered_oldest on webhook_bodies_unordered (received_at);

create table webhook_deliveries (
  id uuid not null default new_row_id(),
  tenant_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  type text not null,
  status text not null default 'pending',
  attempt integer not null default 0,
  step smallint not null default 0,
  milliseconds integer,
  response_status integer,
  response text,
  error text,
  next_attempt_at timestamptz default now(),
  planned_at timestamptz,
  created_at timestamptz not null default now(),
  constraint webhook_deliveries_pkey primary key (id),
  constraint webhook_deliveries_once_per_endpoint unique (event_id, endpoint_id),
  constraint webhook_deliveries_due_when_pending check (next_attempt_at is null or status = 'pending'),
  constraint webhook_deliveries_status_known check (status in ('pending', 'delivered', 'failed'))
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000, fillfactor=70);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_attempt_at, event_id) where (status = 'pending');
create index webhook_deliveries_due_of_all on webhook_deliveries (next_attempt_at) where (status = 'pending');
create index webhook_deliveries_newest on webhook_deliveries (endpoint_id, event_id);

create table webhook_endpoint_secrets (
  id uuid not null,
  endpoint_id uuid not null,
  sealed_secret text not null,
  created_at timestamptz not null default now(),
  ends_at timestamptz,
  constraint webhook_endpoint_secrets_pkey primary key (id),
  constraint webhook_endpoint_secrets_endpoint_id_fkey foreign key (endpoint_id) references webhook_endpoints(id)
);
create index webhook_endpoint_secrets_newest on webhook_endpoint_secrets (endpoint_id, created_at desc, id desc);

create table webhook_endpoints (
  id uuid not null,
  tenant_id uuid not null,
  url text not null,
  types text[],
  status text not null default 'active',
  disabled_reason text,
  created_in pg_snapshot not null default pg_current_snapshot(),
  read_xid xid8 not null default pg_snapshot_xmin(pg_current_snapshot()),
  read_id uuid not null default '00000000-0000-0000-0000-000000000000'::uuid,
  claim uuid,
  claimed_until timestamptz,
  failures integer not null default 0,
  attempted_at timestamptz,
  delivered_at timestamptz,
  failed_since timestamptz,
  active_since timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint webhook_endpoints_pkey primary key (id),
  constraint webhook_endpoints_tenant_id_fkey foreign key (tenant_id) references tenants(id),
  constraint webhook_endpoints_reason_known check (disabled_reason in ('gone', 'failing')),
  constraint webhook_endpoints_reason_when_disabled check (disabled_reason is null or status = 'disabled'),
  constraint webhook_endpoints_status_known check (status in ('active', 'disabled'))
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000, fillfactor=50);
create index webhook_endpoints_failing on webhook_endpoints (failed_since) where (failed_since is not null);
create index webhook_endpoints_of_tenant on webhook_endpoints (tenant_id, created_at, id) where (deleted_at is null);

CREATE OR REPLACE FUNCTION public.count_connections_at_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  declare
    change record;
  begin
    for change in
      select provider, sum(number) as active,
        coalesce(sum(number) filter (where needs_reconnect_since is not null), 0) as reconnect
      from (
  select provider, -1 as number, needs_reconnect_since from before_it where status = 'active') changed
      group by provider
    loop
      continue when change.active = 0 and change.reconnect = 0;
      update connection_counts c
      set active = c.active + change.active, reconnect = c.reconnect + change.reconnect
      where c.provider = change.provider and c.slot = (
        select f.slot from connection_counts f where f.provider = change.provider
        order by f.slot limit 1 for no key update skip locked);
      if not found then
        insert into connection_counts (provider, active, reconnect)
        values (change.provider, change.active, change.reconnect);
      end if;
    end loop;
    return null;
  end
  $function$;

CREATE OR REPLACE FUNCTION public.count_connections_at_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  declare
    change record;
  begin
    for change in
      select provider, sum(number) as active,
        coalesce(sum(number) filter (where needs_reconnect_since is not null), 0) as reconnect
      from (
  select provider, +1 as number, needs_reconnect_since from after_it where status = 'active') changed
      group by provider
    loop
      continue when change.active = 0 and change.reconnect = 0;
      update connection_counts c
      set active = c.active + change.active, reconnect = c.reconnect + change.reconnect
      where c.provider = change.provider and c.slot = (
        select f.slot from connection_counts f where f.provider = change.provider
        order by f.slot limit 1 for no key update skip locked);
      if not found then
        insert into connection_counts (provider, active, reconnect)
        values (change.provider, change.active, change.reconnect);
      end if;
    end loop;
    return null;
  end
  $function$;

CREATE OR REPLACE FUNCTION public.count_connections_at_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  declare
    change record;
  begin
    for change in
      select provider, sum(number) as active,
        coalesce(sum(number) filter (where needs_reconnect_since is not null), 0) as reconnect
      from (
  select provider, +1 as number, needs_reconnect_since from after_it where status = 'active' union all 
  select provider, -1 as number, needs_reconnect_since from before_it where status = 'active') changed
      group by provider
    loop
      continue when change.active = 0 and change.reconnect = 0;
      update connection_counts c
      set active = c.active + change.active, reconnect = c.reconnect + change.reconnect
      where c.provider = change.provider and c.slot = (
        select f.slot from connection_counts f where f.provider = change.provider
        order by f.slot limit 1 for no key update skip locked);
      if not found then
        insert into connection_counts (provider, active, reconnect)
        values (change.provider, change.active, change.reconnect);
      end if;
    end loop;
    return null;
  end
  $function$;

CREATE OR REPLACE FUNCTION public.expect_events_in_partitions()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET lock_timeout TO '200ms'
AS $function$
  declare
    partition text;
    has_rows boolean;
  begin
    if to_regprocedure('pg_clear_relation_stats(text, text)') is null then
      return;
    end if;
    for partition in
      select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent in ('public.webhook_bodies'::regclass, 'public.event_outcomes'::regclass)
        and c.reltuples = 0
      order by c.relname
    loop
      begin
        execute format('select exists (select from public.%I)', partition) into has_rows;
        continue when has_rows;
        perform pg_clear_relation_stats('public', partition);
      exception when lock_not_available then null;
      end;
    end loop;
  end
  $function$;
revoke execute on function expect_events_in_partitions() from public;

CREATE OR REPLACE FUNCTION public.first_event_id(made_at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((lpad(to_hex((floor((EXTRACT(epoch FROM made_at) * (1000)::numeric)))::bigint), 12, '0'::text) || repeat('0'::text, 20)))::uuid;

CREATE OR REPLACE FUNCTION public.forget_bodies_of_erased(erased uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  declare
    partition regclass;
    bodies uuid[];
    deleted integer;
    total integer := 0;
  begin
    for partition, bodies in
      with paid as (
        select p.* from public.users u
        cross join public.tenants t
        cross join lateral (
          select id, tenant_id, provider, provider_payment_id
          from public.payments where tenant_id = t.id and user_id = u.id
        ) p
        where u.id = erased and u.erased_at is not null
      )
      select b.tableoid::regclass, array_agg(b.id)
      from public.webhook_bodies b
      where b.id = any(array(
        select id from paid
        union
        select e.id from paid join public.event_outcomes e
          on e.payment_id = paid.id and e.payment_id <> e.id
        union
        select e.id from paid join public.event_outcomes e
          using (tenant_id, provider, provider_payment_id)))
      group by b.tableoid
    loop
      execute format('delete from %s where id = any($1)', partition) using bodies;
      get diagnostics deleted = row_count;
      total := total + deleted;
    end loop;
    return total;
  end
  $function$;
revoke execute on function forget_bodies_of_erased(uuid) from public;

CREATE OR REPLACE FUNCTION public.forget_unordered_events(batch integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  declare
    parent text;
    kept interval;
    deleted integer;
    total integer := 0;
  begin
    for parent, kept in values
        ('webhook_bodies_default', interval '90 days'),
        ('webhook_bodies_unordered', interval '90 days'),
        ('event_outcomes_default', interval '24 months'),
        ('event_outcomes_unordered', interval '24 months') loop
      execute format('delete from public.%1$I where id = any(array(
          select id from public.%1$I where received_at < now() - $1
          order by received_at limit $2))', parent) using kept, least(batch, 10000) - total;
      get diagnostics deleted = row_count;
      total := total + deleted;
    end loop;
    return total;
  end
  $function$;
revoke execute on function forget_unordered_events(integer) from public;

CREATE OR REPLACE FUNCTION public.hasten_phones()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      update due_work
      set changed_at = clock_timestamp(), due_at = clock_timestamp(), attempts = 0, position = null
      where kind = 'match_phones' and subject_id = (to_jsonb(new) ->> tg_argv[0])::uuid;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.keep_account_tenures()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      if tg_op = 'UPDATE' and (new.status <> 'active' or new.merchant_id <> old.merchant_id) then
        update account_tenures set ended_at = date_trunc('milliseconds', now())
        where provider = old.provider and merchant_id = old.merchant_id
          and tenant_id = old.tenant_id and ended_at is null;
      end if;
      if new.status = 'active' then
        insert into account_tenures (provider, merchant_id, tenant_id, earns_from)
        select new.provider, new.merchant_id, new.tenant_id,
          greatest(date_trunc('milliseconds', now()) - interval '7 days', max(ended_at))
        from account_tenures
        where provider = new.provider and merchant_id = new.merchant_id
          and tenant_id <> new.tenant_id
        on conflict (provider, merchant_id) where ended_at is null do nothing;
      end if;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.keep_campaign()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      if tg_op = 'UPDATE' and old.ended_at is null
        and to_jsonb(old) - 'ended_at' = to_jsonb(new) - 'ended_at' then
        return new;
      end if;
      raise exception '% on campaigns is refused: a campaign can only be ended, once', tg_op
        using errcode = 'restrict_violation', hint = 'Publish another one.';
    end
    $function$;

CREATE OR REPLACE FUNCTION public.keep_event_partitions()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET lock_timeout TO '200ms'
AS $function$
  declare
    this_month constant timestamp := date_trunc('month', now() at time zone 'UTC');
    parent text;
    kept interval;
    month timestamp;
    partition text;
    first_id uuid;
    end_id uuid;
    is_taken boolean;
    changed integer := 0;
  begin
    if not pg_try_advisory_xact_lock(6402318) then
      return 0;
    end if;
    for parent, kept in values ('webhook_bodies', interval '90 days'),
        ('event_outcomes', interval '24 months') loop
      for ahead in 0..2 loop
        month := this_month + make_interval(months => ahead);
        partition := parent || to_char(month, '_YYYY_MM');
        continue when to_regclass('public.' || partition) is not null;
        first_id := public.first_event_id(month at time zone 'UTC');
        end_id := public.first_event_id((month + interval '1 month') at time zone 'UTC');
        execute format('select exists (select from public.%I where id >= %L and id < %L)',
          parent || '_default', first_id, end_id) into is_taken;
        -- A month that has begun in the default partition stays there.
        continue when is_taken;
        begin
          execute format('create table public.%I (like public.%I including all)',
            partition, parent);
          execute format('alter table public.%I attach partition public.%I
            for values from (%L) to (%L)', parent, partition, first_id, end_id);
          changed := changed + 1;
        exception when lock_not_available then null;
        end;
      end loop;

      for partition in
        select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = ('public.' || parent)::regclass and c.relname ~ '_\d{4}_\d{2}$'
          and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month'
            < (now() at time zone 'UTC') - kept
        order by c.relname
      loop
        begin
          execute format('drop table public.%I', partition);
          changed := changed + 1;
        exception when lock_not_available then null;
        end;
      end loop;
    end loop;
    return changed;
  end
  $function$;
revoke execute on function keep_event_partitions() from public;

CREATE OR REPLACE FUNCTION public.keep_reward()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      if tg_op = 'UPDATE' and (old.ended_at is null or old.ended_at = new.ended_at)
        and to_jsonb(old) - 'ended_at' - 'taken' = to_jsonb(new) - 'ended_at' - 'taken' then
        return new;
      end if;
      raise exception '% on rewards is refused: a reward is taken, and can be ended once', tg_op
        using errcode = 'restrict_violation', hint = 'Publish another one.';
    end
    $function$;

CREATE OR REPLACE FUNCTION public.new_row_id()
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
RETURN (encode(set_bit(set_bit(OVERLAY(uuid_send(gen_random_uuid()) PLACING SUBSTRING(int8send((floor((EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric)))::bigint) FROM 3) FROM 1 FOR 6), (52)::bigint, 1), (53)::bigint, 1), 'hex'::text))::uuid;

CREATE OR REPLACE FUNCTION public.note_due_work()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      insert into due_work (kind, subject_id, due_at)
      values (tg_argv[0], new.id, clock_timestamp() + coalesce(tg_argv[1], '0')::interval)
      on conflict (kind, subject_id) do update
        set changed_at = excluded.changed_at, due_at = excluded.due_at, attempts = 0,
          position = null;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.note_used_code()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      insert into due_work (kind, subject_id)
      select 'push_used_code', new.id
      where exists (select from push_subscriptions where user_id = new.user_id)
      on conflict (kind, subject_id) do nothing;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.note_waiting_check()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      insert into waiting_checks (tenant_id, provider) values (new.tenant_id, new.provider)
      on conflict (tenant_id, provider) do update set changed_at = excluded.changed_at;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.note_who_waits()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      insert into due_work (kind, subject_id, due_at)
      values ('tell_of_waiting', new.id,
        date_trunc('hour', clock_timestamp()) + interval '1 hour')
      on conflict (kind, subject_id) do nothing;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.record_backup(kind text, until timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
    insert into public.job_runs (job, completed_at)
    select 'backup_' || each, until from unnest(array['log', 'copy', 'check']) each
    on conflict (job) do update set completed_at = excluded.completed_at
    where job_runs.job = 'backup_' || kind
  $function$;

CREATE OR REPLACE FUNCTION public.record_lost_connection()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      insert into audit_log
        (id, actor, action, target_type, target_id, tenant_id, before, after, request_id)
      values (new_row_id(), 'ops', 'connection.lost', 'connection', new.id, new.tenant_id,
        jsonb_build_object('provider', new.provider, 'merchantId', new.merchant_id,
          'status', 'active'),
        jsonb_build_object('provider', new.provider, 'merchantId', new.merchant_id,
          'status', 'lost'),
        gen_random_uuid());
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      raise exception '% on % is refused: its rows are never changed', tg_op, tg_table_name
        using errcode = 'restrict_violation',
              hint = 'Correct it by adding another row.';
    end
    $function$;

CREATE OR REPLACE FUNCTION public.refuse_second_closing()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    raise exception 'redemption % is % and stays so', old.id, old.status
      using errcode = 'restrict_violation';
  end
  $function$;

CREATE OR REPLACE FUNCTION public.take_call_share(its_name text, its_holder uuid, numbers integer[])
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
    declare
      allowed integer;
    begin
      perform pg_advisory_xact_lock(704551209, hashtext(its_name));
      delete from call_shares where name = its_name and ends_at <= clock_timestamp();
      if numbers[3] = 0 then
        delete from call_shares where name = its_name and holder = its_holder;
        return 0;
      end if;
      with others as (
        select units, wants, greatest(1, numbers[1] / (count(*) over () + 1)) as part
        from call_shares where name = its_name and holder <> its_holder
      ),
      left_over as (
        select numbers[1] - coalesce(sum(units), 0) as free,
          numbers[1] - coalesce(sum(greatest(units, least(wants, part))), 0) as unclaimed
        from others
      )
      select greatest(0, least(numbers[3], greatest(unclaimed, least(1, free))))
      into allowed from left_over;
      -- What is in use beyond that is given back as calls end.
      insert into call_shares values (its_name, its_holder, greatest(numbers[2], allowed),
        numbers[3], clock_timestamp() + make_interval(secs => numbers[4]))
      on conflict on constraint call_shares_once_per_holder do update
        set units = excluded.units, wants = excluded.wants, ends_at = excluded.ends_at;
      return allowed;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.tell_connection()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      insert into tenant_events (tenant_id, type, data)
      select t.id, case when (new.status = 'active' and new.needs_reconnect_since is null) then 'connection.active' else 'connection.lost' end,
        jsonb_strip_nulls(jsonb_build_object('connectionId', new.id, 'posType', new.provider,
          'reason', case when (new.status = 'active' and new.needs_reconnect_since is null) then null
            when new.status = 'disconnected' then 'disconnected' else 'revoked' end))
      from tenants t where t.id = new.tenant_id and t.tells_events;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.tell_operator()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      insert into tenant_events (tenant_id, type, data)
      select t.id, 'operator.joined', jsonb_build_object('userId', new.user_id)
      from tenants t where t.id = new.tenant_id and t.tells_events;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.tell_redemption()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      insert into tenant_events (tenant_id, type, data)
      select t.id, 'redemption.' || new.status, jsonb_build_object(
        'redemptionId', new.id, 'walletId', new.wallet_id, 'points', new.points,
        'discountValueMinorUnits', new.discount_value_minor_units, 'currency', new.currency,
        'cancelled', new.cancelled_at is not null, 'reward', (
          select jsonb_build_object('id', w.id, 'name', w.name, 'kind', w.kind)
          from rewards w where w.id = new.reward_id
        ))
      from tenants t where t.id = new.tenant_id and t.tells_events;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.tell_rule()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      insert into tenant_events (tenant_id, type, data)
      select t.id, 'rule.published', jsonb_build_object('ruleId', new.id, 'version', new.version,
        'effectiveFrom', to_char(new.effective_from at time zone 'UTC',
          'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      from tenants t where t.id = new.tenant_id and t.tells_events;
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.write_awards()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      insert into campaign_awards
        (campaign_id, payment_id, wallet_id, user_id, cause, first_purchase, points)
      select c.id, new.id, new.wallet_id, new.user_id, 'award', c.audience = 'first_purchase',
        (given ->> 'points')::bigint
      from jsonb_array_elements(new.decision #> '{awards,campaigns}') given
      join campaigns c on c.id = (given ->> 'id')::uuid
      where not exists (
        select from campaign_awards a
        where a.payment_id = new.id and a.campaign_id = c.id and a.cause = 'award'
      );
      if new.points_reversed + new.points_owed + new.points_written_off + new.points_absorbed = div(
        new.points_awarded::numeric * least(new.refunded_minor_units, new.amount_minor_units),
        new.amount_minor_units
      ) then
        insert into campaign_awards
          (campaign_id, payment_id, wallet_id, user_id, cause, first_purchase, points)
        select a.campaign_id, a.payment_id, a.wallet_id, a.user_id, 'refund', a.first_purchase,
          -taken.due - taken.before
        from campaign_awards a
        cross join lateral (
          select div(
              a.points::numeric * least(new.refunded_minor_units, new.amount_minor_units),
              new.amount_minor_units
            )::bigint as due,
            (select coalesce(sum(r.points), 0)::bigint from campaign_awards r
             where r.payment_id = new.id and r.campaign_id = a.campaign_id and r.cause = 'refund')
              as before
        ) taken
        where a.payment_id = new.id and a.cause = 'award' and taken.due + taken.before <> 0;
      end if;
      return null;
    end
    $function$;
