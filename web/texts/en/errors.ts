import { pointsText } from '../../shared/points-text.ts';
import type { ErrorTexts, IssueTexts } from '../texts.ts';

/** What people can do about an error, by what the service says is wrong. */
export const issueTexts = {
  required: 'Something is missing.',
  too_small: 'A value is too small.',
  too_big: 'A value is too large.',
  invalid_format: 'A value is not written as it has to be.',
  no_rule: 'The shop has no rule for points yet.',
  below_minimum_balance: 'There are too few points to redeem yet.',
  above_maximum_share: 'That is more than can be redeemed in 24 hours.',
  code_used: 'This code has been used.',
  code_expired: 'This code has expired.',
  code_cancelled: 'This code was cancelled. Its points are back.',
  own_code: 'This code is your own. Somebody else has to take it.',
  own_member: 'This member number is your own. Ask a colleague to do it.',
  sale_taken: 'This sale has a customer already, or waits for the one whom it names.',
  sale_too_old: 'This sale was too long ago.',
  member_limit: 'This customer had five sales attached within a day. Try again tomorrow.',
  too_many_attachments: 'You attached 60 sales within an hour. Try again later.',
  till_attach_off: 'This shop attaches no sales at the till. Its owner can change that.',
  shop_required: 'Choose a shop first.',
  too_many_intervals: 'That is too long a time for such short steps.',
  too_many_reports:
    'Another report is being made, or as many as a day may have were made. Try again later.',
  import_changed: 'The file has another sum of points. Look at it again.',
  import_state: 'This can no longer be done to this file. Load the page again.',
  goodwill_open:
    'Points are asked for this customer already. Wait for the answer, or withdraw that.',
  goodwill_state: 'This was answered or withdrawn meanwhile. Look at it again.',
  too_many_goodwill: 'Twenty requests for points wait for an answer. Withdraw one first.',
  mail_underway: 'The mail is on its way already. The code is in the customer’s app, too.',
  mailed_lately: 'The mail was sent within the last minute. Wait a little, and look for spam.',
  mailed_often: 'The mail was sent again three times. The code is in the customer’s app.',
  no_verified_email: 'The customer has confirmed no e-mail address. The code is in their app.',
  too_many_imports: 'Ten files were uploaded within a day. Try again tomorrow.',
  too_many_exports:
    'Your data is being downloaded already, or was three times within a day. Try again later.',
  too_many_invites: 'Too many invites are open. Withdraw some first.',
  too_many_endpoints: 'There are ten endpoints already. Delete one first.',
  address_not_public: 'The address must be a public one that begins with https://.',
  insufficient_balance: 'There are not enough points.',
  points_pending: ({ available }) =>
    typeof available === 'number' && available > 0
      ? `Only ${pointsText(available)} can be used yet. The others wait: their purchases can ` +
        'still be returned.'
      : 'These points wait: their purchases can still be returned.',
  currency_set: 'The currency cannot be changed once it is set.',
  time_zone_required: 'Choose the time zone of the shop first, with the terms of its points.',
  time_zone_set: 'The time zone cannot be changed once it is set. Ask support.',
  too_generous: 'That gives more points than a sale is worth. Ask for a larger sale.',
  too_many_rewards: 'Fifty rewards are open already. End one first.',
  reward_ended: 'The shop does not offer this any more.',
  reward_limit: 'You have a code for this already. Use or cancel it first.',
  sold_out: 'None of these is left. Try again later.',
  too_many_campaigns: 'Twenty campaigns are open already. End one first.',
  contact_unverified:
    'Confirm your e-mail address or phone number first, so that your purchases are recognised.',
  tenant_suspended: 'This shop is suspended. Points stay as they are until it goes on.',
  wallet_frozen: 'This wallet is frozen.',
  own_wallet: 'This is about you yourself. Another administrator has to do it.',
  own_account: 'This account is your own. Another administrator has to change it.',
  not_erasable:
    'Whoever works at a till, or did in the last 90 days, is erased by an administrator: ask the ' +
    'support address. Merchants and administrators are not erased while they are that.',
  erased: 'This person is erased. Nothing of theirs can be changed any more.',
  last_admin: 'This is the last administrator. Make another one first.',
  suspended: 'This account is suspended.',
  wrong_client: 'The app that you signed in to may not do this.',
  missing_scope: 'Your sign-in does not cover this. Sign out, and sign in with this app.',
  sign_in_again: 'Your sign-in is too old or too weak for this. Sign out, and sign in again.',
  limit_per_day: ({ left }) =>
    typeof left === 'number' && left > 0
      ? `That is more than you may change in 24 hours: ${pointsText(left)} of it left.`
      : 'You have changed as many points as you may in 24 hours. Ask another administrator.',
} satisfies IssueTexts;

/** The same by the code of an error whose issues say nothing. */
export const errorTexts = {
  CANCELLED: 'It is not known whether this was done. Try again: it is done once in any case.',
  UNREACHABLE: 'The service cannot be reached. Check your connection, and try again.',
  UNAUTHORIZED: 'Your sign-in has ended. Sign in again.',
  FORBIDDEN: 'You may not do that.',
  INSUFFICIENT_ROLE: 'You may not do that.',
  TENANT_FORBIDDEN: 'This is not your shop.',
  TENANT_NOT_FOUND: 'There is no such shop.',
  NOT_FOUND: 'There is nothing at this address.',
  RATE_LIMITED: 'That was too often. Wait a little, and try again.',
  INTERNAL_ERROR: 'The service has an error. Try again.',
  INSUFFICIENT_BALANCE: 'There are not enough points.',
} satisfies ErrorTexts;
