import type { Db } from '../../../db/connection.ts';
import { type ListedEntry, listOfWallet } from '../../../db/ledger/history.ts';
import * as wallets from '../../../db/ledger/wallets.ts';
import * as noticeChoices from '../../../db/notices/choices.ts';
import * as subscriptions from '../../../db/notices/push-subscriptions.ts';
import * as attachments from '../../../db/payments/attachments.ts';
import { listFiltered } from '../../../db/payments/filtered-list.ts';
import * as payments from '../../../db/payments/payments.ts';
import * as redemptions from '../../../db/redemptions/listing.ts';
import { listNotices } from '../../../db/tenants/expiry-runs.ts';
import { findKept } from '../../../db/tenants/standings.ts';
import { countExport, MOST_EXPORTS, readPerson } from '../../../db/users/own-data.ts';
import { Refusal } from '../../../domain/errors.ts';
import type { UserId, WalletId } from '../../../domain/ids.ts';
import { monthText } from '../../../domain/intervals.ts';
import type { Explanation } from '../../../domain/texts/explanation.ts';
import { WalletProof } from '../../../domain/wallet-proof.ts';
import { refuseExport } from '../../http/access/admission.ts';
import type { Deps } from '../../http/deps.ts';
import { elementsOf, ITEMS_OF_A_PIECE, JSON_TYPE } from '../../http/replies/json-pieces.ts';
import { streamed } from '../../http/replies/reply.ts';
import { route } from '../../http/route.ts';
import { RedemptionSchema, redemptionAnswerOf } from '../../resources/redemption.ts';
import { WalletSchema, walletAnswerOf } from '../../resources/wallet.ts';
import { NoticeChoicesSchema } from '../notices.ts';
import { explainEntries } from './history.ts';
import {
  ExplainedEntry,
  NOT_ERASED,
  OwnAttachment,
  OwnBrowser,
  OwnData,
  OwnNotice,
  OwnSale,
  OwnStanding,
  ownDataExample,
  ownSaleOf,
  Person,
  personOf,
} from './own-data.ts';
import { type ProofDeps, prove } from './wallet-proof.ts';
import { entryAnswerOf } from './wallets.ts';

const HEADERS = {
  'Content-Type': `${JSON_TYPE}; charset=utf-8`,
  'Content-Disposition': 'attachment; filename="my-points.json"',
  'Cache-Control': 'no-store',
} as const;
const AGAIN_SECONDS = 3_600;

export const exportOwnData = route({
  method: 'GET',
  path: '/consumer/export',
  access: 'WALLET_HISTORY_OWN',
  programme: true,
  personal: true,
  tag: 'Consumer',
  summary: 'Download what is held about you',
  description:
    `In one file, for any program. At most ${MOST_EXPORTS} times in 24 hours, and one at a time. ` +
    'It is sent as it is read: if the connection breaks, the file is not complete. Sales that ' +
    'earned nothing at a shop where you have no wallet are not in it.',
  refusals: ['RATE_LIMITED'],
  issues: ['too_many_exports'],
  response: OwnData,
  examples: { response: ownDataExample },

  async handle({ user, ...deps }) {
    if (!(await countExport(deps.db, user.id))) {
      const message = `You had ${MOST_EXPORTS} exports within 24 hours. Try again later.`;
      return refuseExport(message, AGAIN_SECONDS);
    }
    return streamed(piecesOf(user.id, deps), HEADERS);
  },
});

type ExportDeps = ProofDeps & Pick<Deps, 'settings' | 'codes' | 'log'>;

async function* piecesOf(userId: UserId, deps: ExportDeps): AsyncGenerator<string> {
  const person = personOf(await readPerson(deps.db, userId));
  const ids = (await wallets.listOfUser(deps.db, userId)).map(({ id }) => id);
  yield `{"person":${JSON.stringify(Person.parse(person))},"wallets":[`;
  for (const [nth, id] of ids.entries()) {
    if (nth > 0) yield ',';
    yield* walletPieces(id, userId, deps);
  }
  yield '],"notices":[';
  yield* noticePieces(ids, deps);
  const chosen = NoticeChoicesSchema.parse(await noticeChoices.find(deps.db, userId));
  yield `],"noticeChoices":${JSON.stringify(chosen)}`;
  const browsers = (await subscriptions.list(deps.db, userId)).map(ownBrowserOf);
  yield `,"browsers":${JSON.stringify(OwnBrowser.array().parse(browsers))}`;
  yield `,"notErased":${JSON.stringify(NOT_ERASED)}}`;
}

async function* walletPieces(id: WalletId, userId: UserId, deps: ExportDeps) {
  const { db, settings } = deps;
  const { wallet, newest } = await firstOf(id, userId, db);
  yield `{"wallet":${JSON.stringify(WalletSchema.parse(walletAnswerOf(wallet, settings)))},`;
  yield '"entries":[';
  yield* elementsOf(entriesOf(wallet, newest, db));
  yield '],"redemptions":[';
  yield* elementsOf<redemptions.OwnRedemption>({
    row: RedemptionSchema,
    read: (limit, last) =>
      redemptions.listOfUser(db, userId, { walletId: id, limit, after: last?.id }),
    show: (redemption) => redemptionAnswerOf(redemption, deps),
  });
  yield '],"sales":[';
  yield* elementsOf(salesOf(wallet, deps));
  yield '],"attachments":[';
  yield* elementsOf<attachments.Attachment>({
    row: OwnAttachment,
    read: (limit, last) =>
      attachments.list(db, wallet.tenantId, { userId, limit, after: last?.transactionId }),
    show: ({ transactionId, createdAt }) => ({
      transactionId,
      attachedAt: createdAt.toISOString(),
    }),
  });
  const standing = OwnStanding.nullable().parse((await findKept(db, id)) ?? null);
  yield `],"standing":${JSON.stringify(standing)},"proof":`;
  yield `${JSON.stringify(await proofOf(wallet, deps))}}`;
}

/**
 * The wallet and its first page are of one moment, so that the entries add up to the balance; those
 * of the pages after it are older, and never change.
 */
async function firstOf(id: WalletId, userId: UserId, db: Db) {
  return db.transaction(
    async (tx) => ({
      wallet: await wallets.getOwned(tx, id, userId),
      newest: await listOfWallet(tx, id, { limit: ITEMS_OF_A_PIECE }),
    }),
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}

/** The entries of a wallet, each with its explanation; the newest were read with the wallet. */
function entriesOf(wallet: wallets.WalletView, newest: ListedEntry[], db: Db) {
  const { id } = wallet;
  return {
    row: ExplainedEntry,
    async read(limit: number, last: { entry: ListedEntry } | undefined) {
      const page = last && (await listOfWallet(db, id, { limit, before: last.entry.seq }));
      return explainEntries(db, wallet, page ?? newest);
    },
    show: ({ entry, explanation }: { entry: ListedEntry; explanation: Explanation }) => ({
      ...entryAnswerOf(entry),
      explanation,
    }),
  };
}

/** The consumer's sales by their own clock, each as its decision is now. */
function salesOf({ tenantId, userId }: wallets.WalletView, { db }: ExportDeps) {
  return {
    row: OwnSale,
    async read(limit: number, last: payments.ReleasedPayment | undefined) {
      const listed = await listFiltered(db, tenantId, { userId, limit, after: last?.id });
      const ids = listed.map((payment) => payment.id);
      const found = new Map(
        (await payments.findAll(db, tenantId, ids)).map((payment) => [payment.id, payment]),
      );
      return ids.flatMap((id) => found.get(id) ?? []);
    },
    show: ownSaleOf,
  };
}

/** Null where the proof is refused, which says nothing against the rest. */
async function proofOf(wallet: wallets.WalletView, deps: ProofDeps) {
  try {
    return WalletProof.parse(await prove(wallet, deps));
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** A wallet has few of them, one for a month. */
async function* noticePieces(ids: readonly WalletId[], { db }: Pick<Deps, 'db'>) {
  let comma = '';
  for (const walletId of ids) {
    for (const month of await listNotices(db, walletId)) {
      yield comma + JSON.stringify(OwnNotice.parse({ walletId, month: monthText(month) }));
      comma = ',';
    }
  }
}

function ownBrowserOf({ endpoint, createdAt }: { endpoint: string; createdAt: Date }) {
  return { endpoint, createdAt: createdAt.toISOString() };
}
