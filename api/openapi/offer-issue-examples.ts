import type { ErrorCode, IssueCode, IssueParams } from '../../domain/errors.ts';

/** A refusal as it is shown. */
export type Example = {
  code: ErrorCode;
  message: string;
  params?: IssueParams;
  status?: number;
  /** The field that the issue names; '' is the whole request. */
  path?: string;
};

/** The example of a rule that rejects. */
export const rejected = (message: string): Example => ({ code: 'RULE_REJECTED', message });

/** Refusals of what a shop publishes for its customers, brings over and asks for. */
export const OFFERS_AND_IMPORTS = {
  too_generous: {
    code: 'VALIDATION_ERROR',
    message:
      '500 points for a sale of 300 minor units are worth more than the sale. Ask for ' +
      '`minSpendMinorUnits` of at least as much.',
  },
  too_many_campaigns: {
    code: 'RULE_REJECTED',
    message: 'The shop has 20 campaigns that have not ended. End one first.',
    params: { max: 20 },
  },
  too_many_rewards: {
    code: 'RULE_REJECTED',
    message: 'The shop has 50 rewards that have not ended. End one first.',
    params: { max: 50 },
  },
  reward_ended: rejected('The shop offers this no more. Choose another reward.'),
  reward_limit: rejected('You have an open code for this reward. Use or cancel it first.'),
  sold_out: rejected('None of these is left. Try again later.'),
  goodwill_open: rejected('Points were asked for this customer, and are not answered yet.'),
  goodwill_state: {
    code: 'RULE_REJECTED',
    message: 'This request is granted: nothing can be done about it any more.',
    params: { status: 'granted' },
  },
  too_many_goodwill: rejected('20 requests of the shop wait for an answer. Withdraw one first.'),
  mail_underway: rejected('The mail is still on its way.'),
  mailed_lately: rejected('The code was mailed within the last minute. Wait a little.'),
  mailed_often: rejected('The code was sent 3 times again.'),
  no_verified_email: rejected('The customer has no verified address.'),
  import_changed: {
    code: 'RULE_REJECTED',
    message: 'The import has 41500 points. Look at it again.',
    params: { points: 41_500 },
  },
  import_state: {
    code: 'RULE_REJECTED',
    message: 'The import is withdrawn. Look at it again.',
    params: { status: 'withdrawn' },
  },
  too_many_imports: {
    code: 'RATE_LIMITED',
    message: 'The shop uploaded 10 imports within 24 hours. Try again tomorrow.',
  },
} as const satisfies Partial<Record<IssueCode, Example>>;
