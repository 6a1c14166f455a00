/** The codes of all refusals: a closed list that clients may rely on. */
export const ERROR_CODES = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'INSUFFICIENT_ROLE',
  'TENANT_NOT_FOUND',
  'TENANT_FORBIDDEN',
  'VALIDATION_ERROR',
  'NOT_FOUND',
  'IDEMPOTENCY_REPLAY',
  'RULE_REJECTED',
  'INSUFFICIENT_BALANCE',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/**
 * What exactly was refused, for a program: a closed list, with a sentence each for the document.
 * The codes of validation say what is wrong with a field; the others come alone, one to a refusal.
 */
export const ISSUE_CODES = {
  unknown_field: 'The request has no such field. Its name may be mistyped.',
  required: 'The field is missing.',
  wrong_type: 'The value has another type than the field.',
  too_small: 'The value is smaller, or shorter, than the field allows.',
  too_big: 'The value is larger, or longer, than the field allows.',
  not_multiple_of: 'The number has more decimals than the field allows.',
  invalid_format: 'The text does not have the form that the field needs.',
  invalid_value: 'The value is none of those that the field allows.',
  invalid: 'The value is not acceptable; the message says why.',
  forbidden_key: 'A key names a prototype.',
  broken_text: 'The text contains NUL or is not UTF-8.',
  too_complex: 'The structure has too many elements, or is nested too deeply.',
  too_large: 'The body is larger than the route accepts.',
  invalid_json: 'The body is not JSON.',
  incomplete_body: 'The body ended early.',
  unsupported_media_type: 'The body has another media type or encoding than the route accepts.',
  method_not_allowed: 'The address exists, but not with this method; see `Allow`.',
  token_missing: 'The request has no access token.',
  token_invalid: 'The access token is not acceptable; a new one may be.',
  token_expired: 'The access token has expired. A new one is needed.',
  pending_approval: 'The account waits for an administrator. A new token does not help.',
  suspended: 'The account is suspended. A new token does not help.',
  wrong_client: 'The app to which the token was issued may not do this.',
  missing_scope: 'The access token lacks the scope that this needs; the message names it.',
  sign_in_again: 'The sign-in is too old or too weak for an administrator. Ask for a new one.',
  admin_email_required: 'An administrator needs a verified e-mail address of their domain.',
  no_rule: 'The shop has no reward rule in effect.',
  below_minimum_balance: 'The balance is below what the rule requires for redeeming.',
  above_maximum_share: 'The rule allows fewer points at once: `params.max`.',
  code_used: 'The code was used, at `params.usedAt`.',
  code_expired: 'The code has expired, at `params.expiredAt`.',
  code_cancelled: 'The code was cancelled, and its points went back.',
  own_code: 'The code is the operator’s own. Somebody else has to complete it.',
  shop_required: 'The operator works at several shops. `X-Tenant-Id` has to name one of them.',
  too_many_intervals: 'The times span more than `params.max` intervals.',
  too_many_rotations: 'The member number was replaced too often today.',
  too_many_exports: 'An export is being made, or as many as a day may have were made.',
  own_member: 'The member number belongs to the person who attaches. Somebody else has to do it.',
  sale_taken: 'The sale has a customer already, or named one who has not signed up yet.',
  sale_too_old: 'The sale is longer ago than sales can be attached.',
  member_limit: 'Too many sales were attached to this member at the shop within a day.',
  too_many_attachments: 'The caller attached too many sales within an hour.',
  till_attach_off: 'The programme of the shop lets nobody attach a sale at the till.',
  too_many_reports: 'Another report of the shop, or too many of all, are being made.',
  contact_unverified: 'Neither e-mail nor phone is verified, so purchases are not recognised.',
  import_changed: 'The import has another sum of points: `params.points`.',
  import_state: 'The import is `params.status`, in which this cannot be done to it.',
  goodwill_state: 'The request is `params.status`: nothing can be done about it any more.',
  goodwill_open: 'Points were asked for this customer before, and nobody has answered yet.',
  too_many_goodwill: 'As many requests of the shop wait for an answer as may.',
  mail_underway: 'The mail with the code has not been sent yet, and needs no repetition.',
  mailed_lately: 'The code was mailed within the last minute.',
  mailed_often: 'The code was sent again as often as it may be.',
  no_verified_email: 'The customer has verified no e-mail address, so that nothing is mailed.',
  too_many_imports: 'The shop uploaded as many imports as it may within a day.',
  too_many_sales: 'More than `params.max` sales would have to be read.',
  too_many_invites: 'The shop has too many pending invites.',
  too_many_endpoints: 'The shop has as many endpoints of webhooks as it may have.',
  address_not_public: 'The address does not lead to a host of the public internet by https.',
  insufficient_balance: 'The wallet holds fewer points: `params.balance`.',
  points_pending:
    'Only `params.available` points can be used yet; the next from `params.nextRelease` on.',
  currency_set: 'The shop has another currency: `params.currency`. Only support can change it.',
  time_zone_required: 'Whose clocks the shop goes by is not known: send `timeZone`.',
  time_zone_set: 'The shop has another time zone: `params.timeZone`. Only support can change it.',
  too_generous: 'What is given is worth more than what is asked for it.',
  too_many_campaigns: 'The shop has `params.max` campaigns that have not ended.',
  too_many_rewards: 'The shop has `params.max` rewards that have not ended.',
  reward_ended: 'The shop offers the reward no more.',
  reward_limit: 'The consumer has an open code for the reward.',
  sold_out: 'None of the reward is left.',
  tenant_suspended: 'The shop is suspended: nobody earns or redeems points there.',
  wallet_frozen: 'An administrator froze the wallet.',
  own_wallet: 'One may not adjust one’s own wallet, nor approve what one has asked for.',
  own_account: 'Administrators may not suspend or erase their own account.',
  not_erasable: 'Merchants and administrators keep their account; staff ask an administrator.',
  erased: 'The owner was erased: nothing changes there any more.',
  last_admin: 'The last active administrator has to stay one, and active.',
  limit_per_day:
    'Of `params.limit` points that one may adjust in 24 hours, `params.left` are left.',
} as const;

export type IssueCode = keyof typeof ISSUE_CODES;

/** What a program may need to show the refusal: numbers, dates as ISO 8601, names. */
export type IssueParams = Readonly<Record<string, string | number | boolean | null>>;

/** One problem of a request. The path is dotted, and empty for the request as a whole. */
export type Issue = { path: string; code: IssueCode; message: string; params?: IssueParams };

/** Why a request was refused: a code, a code with its parameters, or the issues of its fields. */
export type Why = IssueCode | { issue: IssueCode; params: IssueParams } | readonly Issue[];

/** A refusal the caller can understand. Anything else that is thrown is a bug. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  readonly issues: readonly Issue[] | undefined;

  constructor(code: ErrorCode, message: string, why?: Why) {
    super(message);
    this.code = code;
    this.issues = why && issuesOf(message, why);
  }
}

/** The refusal of a field whose value is not acceptable; the message says why. */
export function invalidField(path: string, message: string): Refusal {
  return new Refusal('VALIDATION_ERROR', `${path} ${message}`, [
    { path, code: 'invalid', message },
  ]);
}

function issuesOf(message: string, why: Why): readonly Issue[] {
  if (typeof why === 'string') return [{ path: '', code: why, message }];
  if ('issue' in why) return [{ path: '', code: why.issue, message, params: why.params }];
  return why;
}
