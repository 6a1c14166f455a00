import { ATTACHMENTS } from './attachment-cases.ts';
import { CAMPAIGNS } from './campaign-cases.ts';
import type { Case } from './cases.ts';
import { ERASURES } from './erasure-cases.ts';
import { EXPIRY } from './expiry-cases.ts';
import { HOT } from './hot-cases.ts';
import { IMPORTS } from './import-cases.ts';
import { LEDGER } from './ledger-cases.ts';
import { LISTS } from './list-cases.ts';
import { NOTICES } from './notice-cases.ts';
import { OUTGOING_CASES } from './outgoing-cases.ts';
import { REPORTS } from './report-cases.ts';
import { REWARDS } from './reward-cases.ts';
import { SERVICE } from './service-cases.ts';
import { STATEMENT_CASES } from './statement-cases.ts';
import { TICKS } from './tick-cases.ts';
import { TIERS } from './tier-cases.ts';
import { TRUTH } from './truth-cases.ts';

/** Every call whose plan is judged. */
export const ALL_CASES: readonly Case[] = [
  ...HOT,
  ...TICKS,
  ...LISTS,
  ...LEDGER,
  ...REPORTS,
  ...STATEMENT_CASES,
  ...EXPIRY,
  ...ERASURES,
  ...TRUTH,
  ...ATTACHMENTS,
  ...CAMPAIGNS,
  ...REWARDS,
  ...IMPORTS,
  ...SERVICE,
  ...TIERS,
  ...NOTICES,
  ...OUTGOING_CASES,
];
