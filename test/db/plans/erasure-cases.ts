import * as erasedSubjects from '../../../db/users/erased-subjects.ts';
import * as erasing from '../../../db/users/erasing.ts';
import * as erasures from '../../../db/users/erasures.ts';
import { type Case, LIMIT, userId } from './cases.ts';

const proofs = (text: string): [Buffer] => [Buffer.from(text)];
const claims = {
  iss: 'https://many.test',
  sub: 'nobody',
  email: null,
  emailVerified: false,
  phone: null,
  phoneVerified: false,
  name: null,
  clientIntent: false,
};

/** Each hour one was done. */
const DONE = 400 * 24;

/** How people are erased. */
export const ERASURES: readonly Case[] = [
  { covers: 'users/erasures.find', rows: 1, run: (tx) => erasures.find(tx, userId) },
  {
    covers: 'users/erasures.lockErasable',
    rows: 3,
    skipped: LIMIT,
    run: (tx) => erasures.lockErasable(tx, userId),
  },
  { covers: 'users/erasures.pointsOf', rows: 3, run: (tx) => erasures.pointsOf(tx, userId) },
  {
    covers: 'users/erasures.listDue',
    rows: LIMIT,
    run: (tx) => erasures.listDue(tx, LIMIT),
  },
  {
    covers: 'users/erasures.listErased',
    rows: DONE / 24 + 1,
    skipped: DONE,
    run: (tx) => erasures.listErased(tx),
  },
  { covers: 'users/erasing.listWallets', rows: 1, run: (tx) => erasing.listWallets(tx, userId) },
  {
    covers: 'users/erased-subjects.requireNotErased',
    rows: 1,
    run: (tx) => erasedSubjects.requireNotErased(tx, claims, proofs),
  },
  {
    covers: 'users/erased-subjects.deleteOld',
    rows: 3 * LIMIT,
    run: (tx) => erasedSubjects.deleteOld(tx, LIMIT),
  },
];
