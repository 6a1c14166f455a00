import { readValidity } from '../../../db/ledger/validity.ts';
import * as wallets from '../../../db/ledger/wallets.ts';
import * as campaigns from '../../../db/tenants/campaigns.ts';
import * as programmes from '../../../db/tenants/programme.ts';
import * as standings from '../../../db/tenants/standings.ts';
import { NEVER } from '../../../domain/expiry.ts';
import { monthText } from '../../../domain/intervals.ts';
import { NO_PROGRAMME } from '../../../domain/programme.ts';
import { route } from '../../http/route.ts';
import { consumerCampaignExample, consumerCampaignOf } from '../../resources/campaign.ts';
import {
  ConsumerProgrammeSchema,
  tiersExample,
  ValiditySchema,
} from '../../resources/programme.ts';

const NO_TIER = { tier: null, qualifyingMinorUnits: 0 };

export const showOwnProgramme = route({
  method: 'GET',
  path: '/consumer/wallets/:walletId/programme',
  access: 'WALLET_VIEW_OWN',
  programme: true,
  tag: 'Consumer',
  summary: 'Show what governs the points of one of your wallets',
  description: 'Of a shop that has published no programme: points are valid for ever, none wait.',
  refusals: ['NOT_FOUND'],
  response: ConsumerProgrammeSchema,
  examples: {
    response: {
      validityMonths: 12,
      returnWindowDays: 14,
      tiers: tiersExample,
      tier: {
        key: 'silver',
        name: 'Silver',
        multiplier: 1.25,
        since: '2026-01-02',
        keptUntil: '2027-01-02',
      },
      qualifyingMinorUnits: 62000,
      campaigns: [consumerCampaignExample],
    },
  },

  async handle({ params, user, db }) {
    const wallet = await wallets.getOwned(db, params.walletId, user.id);
    const { id, tenantId, tenantStatus, currency } = wallet;
    const active = await programmes.findActive(db, tenantId);
    const tiers = active === undefined ? NO_TIER : await standings.findOwnTier(db, id, active);
    // Nothing is earned at a suspended shop.
    const running =
      tenantStatus === 'active' ? await campaigns.listRunningFor(db, tenantId, id) : [];
    return {
      ...(active ?? NO_PROGRAMME),
      ...tiers,
      campaigns: running.map((each) => consumerCampaignOf(each, currency)),
    };
  },
});

export const showOwnValidity = route({
  method: 'GET',
  path: '/consumer/wallets/:walletId/validity',
  access: 'WALLET_VIEW_OWN',
  programme: true,
  tag: 'Consumer',
  summary: 'Show until when the points of one of your wallets can be used',
  description:
    'What is spent is taken from what expires soonest, so that this changes with each entry. It ' +
    'adds up to the balance.',
  refusals: ['NOT_FOUND'],
  response: ValiditySchema,
  examples: {
    response: {
      validityMonths: 12,
      timeZone: 'Europe/Berlin',
      points: [
        { month: '2026-03', expiresAt: '2026-03-31T22:00:00.000Z', points: 40 },
        { month: '2026-04', expiresAt: '2026-04-30T22:00:00.000Z', points: 70 },
      ],
    },
  },

  async handle({ params, user, db }) {
    const wallet = await wallets.getOwned(db, params.walletId, user.id);
    const validity = await readValidity(db, wallet);
    if (validity === undefined) {
      const { balance } = wallet;
      const points = balance === 0 ? [] : [{ month: null, expiresAt: null, points: balance }];
      return { validityMonths: null, timeZone: null, points };
    }
    return {
      ...validity,
      points: validity.points.map(({ month, expiresAt, points }) => ({
        month: month === NEVER ? null : monthText(month),
        expiresAt: expiresAt?.toISOString() ?? null,
        points,
      })),
    };
  },
});
