import type { oas31 } from 'zod-openapi';
import type { IssueCode } from '../../domain/errors.ts';
import { statusOf } from '../http/replies/errors.ts';
import { FIELD_ISSUES, type FieldIssue, type RefusalIssue } from './field-issues.ts';
import { type Example, OFFERS_AND_IMPORTS, rejected } from './offer-issue-examples.ts';

const REQUEST_ID = '8c1f2d3e4b5a';

/** The name of the example that has all issues of fields. */
export const INVALID_FIELDS = 'invalid_fields';

/** A refusal for each issue that comes alone. One without an example does not compile. */
const REFUSALS: Record<RefusalIssue, Example> = {
  forbidden_key: {
    code: 'VALIDATION_ERROR',
    message: 'The body contains the key "__proto__". Remove it.',
  },
  broken_text: {
    code: 'VALIDATION_ERROR',
    message: 'The body contains NUL or text that is not UTF-8. Remove it.',
  },
  too_complex: {
    code: 'VALIDATION_ERROR',
    message: 'The body is nested too deeply. Make it smaller.',
  },
  too_large: {
    code: 'VALIDATION_ERROR',
    status: 413,
    message: 'The body is larger than 16 KiB. Make it smaller.',
  },
  invalid_json: {
    code: 'VALIDATION_ERROR',
    message: 'The body is not valid JSON. Correct it and send it again.',
  },
  incomplete_body: { code: 'VALIDATION_ERROR', message: 'The body ended early. Send it again.' },
  unsupported_media_type: {
    code: 'VALIDATION_ERROR',
    status: 415,
    message: 'Send the body as application/json.',
  },
  method_not_allowed: {
    code: 'NOT_FOUND',
    status: 405,
    message: 'PUT is not allowed here. Use GET.',
  },
  token_missing: {
    code: 'UNAUTHORIZED',
    message: 'Send an access token in the header "Authorization: Bearer <token>".',
  },
  token_invalid: { code: 'UNAUTHORIZED', message: 'The access token is not valid. Sign in again.' },
  token_expired: { code: 'UNAUTHORIZED', message: 'The access token has expired. Renew it.' },
  pending_approval: {
    code: 'UNAUTHORIZED',
    message: 'Your account waits for approval. An administrator has to approve it.',
  },
  suspended: {
    code: 'UNAUTHORIZED',
    message: 'This account is suspended. Ask support to reinstate it.',
  },
  admin_email_required: {
    code: 'UNAUTHORIZED',
    message: 'Administrators need a verified e-mail of their domain. Sign in with it.',
  },
  wrong_client: {
    code: 'INSUFFICIENT_ROLE',
    message: 'The app that you signed in to may not do this. Use the app that is meant for it.',
  },
  missing_scope: {
    code: 'INSUFFICIENT_ROLE',
    message: 'The access token lacks the scope shop. Sign in with an app that asks for it.',
  },
  sign_in_again: {
    code: 'UNAUTHORIZED',
    message: 'Administrators have to sign in more recently, or more surely. Sign in again.',
  },
  no_rule: rejected('The shop has no reward rule in effect.'),
  below_minimum_balance: rejected('Redeeming needs a balance of at least 100 points.'),
  above_maximum_share: {
    code: 'RULE_REJECTED',
    message: 'At most 50 % of the balance can be redeemed, 625 points.',
    params: { max: 625 },
  },
  code_used: {
    code: 'RULE_REJECTED',
    message: 'This code has already been used. Ask the customer for a new one.',
    params: { usedAt: '2026-01-15T10:04:40.000Z' },
  },
  code_expired: {
    code: 'RULE_REJECTED',
    message: 'This code has expired. Ask the customer for a new one.',
    params: { expiredAt: '2026-01-15T10:15:02.000Z' },
  },
  code_cancelled: rejected('This code was cancelled. Ask the customer for a new one.'),
  own_code: rejected('This code is your own. Ask a colleague to complete it.'),
  shop_required: {
    code: 'VALIDATION_ERROR',
    message: 'You work at several shops. Name one of them in the header X-Tenant-Id.',
  },
  too_many_invites: rejected('The shop has 200 pending invites. Withdraw one first.'),
  too_many_endpoints: rejected('The shop has 10 endpoints. Delete one of them first.'),
  address_not_public: {
    code: 'VALIDATION_ERROR',
    message: 'url must begin with https:',
    path: 'url',
  },
  too_many_intervals: {
    code: 'VALIDATION_ERROR',
    message: 'These times span more than 400 intervals. Ask for longer ones.',
    params: { max: 400 },
  },
  contact_unverified: rejected(
    'Your purchases could not be recognised: neither your e-mail nor your phone is verified. ' +
      'Have one verified where you sign in.',
  ),
  ...OFFERS_AND_IMPORTS,
  too_many_sales: {
    code: 'RULE_REJECTED',
    message: 'These days have more than 2000000 sales. Rehearse over fewer days.',
    params: { max: 2_000_000 },
  },
  too_many_rotations: {
    code: 'RATE_LIMITED',
    message: 'It was replaced 5 times. Try again later.',
  },
  too_many_exports: {
    code: 'RATE_LIMITED',
    message: 'You had 3 exports within 24 hours. Try again later.',
  },
  own_member: {
    code: 'FORBIDDEN',
    message: 'This is your own member number. Ask a colleague to attach the sale.',
  },
  sale_taken: rejected('The sale has a customer already, or named one who has not signed up yet.'),
  sale_too_old: rejected('Only sales of the last 24 hours can be attached.'),
  member_limit: rejected('5 sales were attached to them in 24 hours. Try tomorrow.'),
  too_many_attachments: {
    code: 'RATE_LIMITED',
    message: 'You attached 60 sales within an hour. Try again later.',
  },
  till_attach_off: { code: 'FORBIDDEN', message: 'This shop attaches no sales at the till.' },
  too_many_reports: { code: 'RATE_LIMITED', message: 'Another report is being made. Wait.' },
  insufficient_balance: {
    code: 'INSUFFICIENT_BALANCE',
    message: 'The wallet holds only 120 points.',
    params: { balance: 120 },
  },
  points_pending: {
    code: 'INSUFFICIENT_BALANCE',
    message:
      'Only 20 points can be used now. 50 wait until the sales that earned them can no longer be ' +
      'returned.',
    params: { available: 20, pending: 50, nextRelease: '2026-03-15T09:00:00.000Z' },
  },
  currency_set: {
    code: 'VALIDATION_ERROR',
    message: 'The shop has the currency EUR already. Ask support to change it.',
    params: { currency: 'EUR' },
  },
  time_zone_required: {
    code: 'VALIDATION_ERROR',
    message: 'By whose clocks the shop goes is not known. Send its `timeZone`.',
  },
  time_zone_set: {
    code: 'VALIDATION_ERROR',
    message: 'The time zone is Europe/Berlin already. Ask support if that is wrong.',
    params: { timeZone: 'Europe/Berlin' },
  },
  tenant_suspended: {
    code: 'FORBIDDEN',
    message: 'This shop is suspended. Points stay as they are; ask support when it goes on.',
  },
  wallet_frozen: { code: 'FORBIDDEN', message: 'The wallet is frozen. Ask the shop for help.' },
  own_wallet: {
    code: 'FORBIDDEN',
    message: 'This is your own wallet. Ask another administrator to adjust it.',
  },
  own_account: {
    code: 'FORBIDDEN',
    message: 'This is your own account. Ask another administrator to suspend it.',
  },
  not_erasable: rejected(
    'You work at a till, or did in the last 90 days. Ask support to erase you.',
  ),
  erased: { code: 'FORBIDDEN', message: 'This person was erased: nothing changes any more.' },
  last_admin: rejected('This is the last active administrator. Make another one first.'),
  limit_per_day: {
    code: 'FORBIDDEN',
    message: 'You may credit 1000000 points in 24 hours; 500 are left. Ask another administrator.',
    params: { limit: 1_000_000, left: 500 },
  },
};

const FIELD_CODES: ReadonlySet<IssueCode> = new Set(FIELD_ISSUES.map(({ code }) => code));

/** Whether an issue is about a field, and comes with others. */
export function isFieldIssue(issue: IssueCode): issue is FieldIssue {
  return FIELD_CODES.has(issue);
}

/** Returns the status of the refusal that an issue comes with. */
export function statusOfIssue(issue: IssueCode): number {
  if (isFieldIssue(issue)) return statusOf.VALIDATION_ERROR;
  const { status, code } = REFUSALS[issue];
  return status ?? statusOf[code];
}

/** Lists the names of all examples: the code of an issue, or `invalid_fields`. */
export function issueExampleNames(): string[] {
  return [INVALID_FIELDS, ...Object.keys(REFUSALS)];
}

/** Every example of an error, by name: the code of its issue, or `invalid_fields`. */
export function errorExamples(): Record<string, oas31.ExampleObject> {
  const fields = {
    code: 'VALIDATION_ERROR',
    message: 'The body is not valid. Correct the listed issues.',
    requestId: REQUEST_ID,
    issues: FIELD_ISSUES,
  };
  const refusals = Object.entries(REFUSALS).map(([issue, { code, message, params, path = '' }]) => {
    const only = { path, code: issue, message, ...(params && { params }) };
    return [issue, { value: { code, message, requestId: REQUEST_ID, issues: [only] } }] as const;
  });
  return { [INVALID_FIELDS]: { value: fields }, ...Object.fromEntries(refusals) };
}
