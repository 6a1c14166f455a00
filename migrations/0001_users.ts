import type { Knex } from 'knex';

/**
 * A user is a person known to the identity provider: one row per issuer and subject. Role, status
 * and tenants are ours; the contacts are copied from the access token at each sign-in.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(PARTS_OF_TEXTS);
  await knex.raw(USERS);
  await knex.raw(ERASURES);
  await knex.raw(MATCHED_BY_CONTACT);
  await knex.raw(LISTED_AND_SEARCHED);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table erased_subjects, erasures, users;
    drop extension pg_trgm;
  `);
}

// Postgres comes with it, and who owns the database may create it; otherwise a superuser has to,
// once.
const PARTS_OF_TEXTS = 'create extension if not exists pg_trgm';

/**
 * A row says since when each contact has been verified, and when the token that the contacts are
 * from was issued. `ascii_email` is the e-mail with its domain in ASCII, where that is another
 * spelling: by that it is matched. A suspended user keeps the status from before.
 *
 * The member number is shown at tills and made when it is first read; of those that were given up
 * in the last day it is known when. The language is that of mails; the person can choose it.
 *
 * The application is what somebody says who asks to become a merchant: it is decided by, and kept
 * no longer.
 *
 * A proof is a keyed hash of a verified contact that the newest token leaves out, by which it is
 * told from one that was verified anew. While a row has a contact, it has no proof of it.
 */
const USERS = `
  create table users (
    id uuid primary key default gen_random_uuid(),
    iss text not null,
    sub text not null,
    role text not null
      constraint users_role_known check (role in ('consumer', 'client', 'pos_operator', 'admin')),
    status text not null
      constraint users_status_known check (status in ('active', 'pending_approval', 'suspended')),
    status_before_suspension text
      constraint users_status_before_suspension_known
      check (status_before_suspension in ('active', 'pending_approval')),
    name text,
    language text constraint users_language_known check (language in ('en', 'de')),
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
    member_rotations timestamptz[] not null default '{}',
    data_exports timestamptz[] not null default '{}',
    application jsonb
      constraint users_application_is_an_object check (jsonb_typeof(application) = 'object'),
    erased_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint users_one_per_member_number unique (member_number),
    constraint users_ascii_email_is_of_an_email check (ascii_email is null or email is not null),
    constraint users_prove_no_contact_that_is_there check (
      (email is null or email_proof is null) and (phone is null or phone_proof is null)
    ),
    constraint users_apply_until_they_are_merchants check (
      application is null or (role = 'client' and status <> 'active')
    ),
    constraint users_one_per_subject unique (iss, sub),
    constraint users_bootstrap_once_per_email unique (bootstrapped_as)
  )
`;

/**
 * An erasure empties the row of a user, from `begins_at` on, unless it is withdrawn before.
 * `requested_by` is the administrator who asked for it, null for the person; `points` is what their
 * wallets held then, which counts to what that administrator may debit.
 *
 * A subject that was erased is known by a keyed hash for a while, so that its tokens are refused
 * that were issued before.
 */
const ERASURES = `
  create table erasures (
    id uuid primary key,
    user_id uuid not null references users,
    requested_by uuid references users,
    points bigint not null,
    requested_at timestamptz not null default now(),
    begins_at timestamptz not null,
    withdrawn_at timestamptz,
    begun_at timestamptz,
    done_at timestamptz,
    constraint erasures_withdrawn_before_they_begin
      check (withdrawn_at is null or begun_at is null),
    constraint erasures_begun_before_they_are_done check (done_at is null or begun_at is not null)
  );

  create unique index erasures_one_per_user on erasures (user_id) where withdrawn_at is null;
  create index erasures_due on erasures (begins_at) where withdrawn_at is null and done_at is null;
  create index erasures_done on erasures (done_at) where done_at is not null;
  create index erasures_by_admin on erasures (requested_by, requested_at)
    where requested_by is not null;

  create table erased_subjects (
    subject_hmac bytea primary key,
    erased_at timestamptz not null default now()
  );

  create index erased_subjects_by_age on erased_subjects (erased_at);
`;

/** Payments are matched to users by their contacts; only verified ones count. */
const MATCHED_BY_CONTACT = `
  create index users_verified_email on users (coalesce(ascii_email, email), created_at)
    where email_verified;
  create index users_verified_phone on users (phone, created_at) where phone_verified;
`;

/**
 * The lists are in the order of their indexes, so that each page costs as much as the first one. A
 * search for a whole e-mail or domain, or for the start of an e-mail or phone, costs what it finds;
 * the indexes of parts read as many entries as the rarest three characters have. An issuer may send
 * an e-mail that is longer than an ordered index can hold.
 */
const LISTED_AND_SEARCHED = `
  create index users_newest_first on users (created_at desc, id);
  create index users_pending_approval on users (created_at desc, id)
    where status = 'pending_approval';
  create index users_admins on users (id) where role = 'admin';

  create index users_by_email on users (email text_pattern_ops) where length(email) <= 320;
  create index users_by_mailbox on users (
    split_part(email, '@', 2) text_pattern_ops,
    reverse(split_part(email, '@', 1)) text_pattern_ops
  ) where length(email) <= 320;
  create index users_by_phone on users (phone text_pattern_ops);
  create index users_by_part_of_email on users using gin (email gin_trgm_ops);
  create index users_by_part_of_phone on users using gin (phone gin_trgm_ops);
`;
