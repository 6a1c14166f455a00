import type { Schema } from '../../shared/client.tsx';

type Import = Schema['Import'];

/** What the portal and the back office say of members who are brought over. */
export const importTexts = {
  lead:
    'Customers of a loyalty card that you had before keep their points. Upload a file with their ' +
    'e-mail addresses or phone numbers: we check it, and those who sign up find their points.',
  choose: 'Choose a file',
  hint:
    'CSV, with the first line email,phone,points. At most 10,000 lines and 1 MB. Of two contacts ' +
    'in a line the e-mail address counts.',
  tooLarge: 'The file is larger than 1 MB. Split it.',
  refused: {
    required: 'The file has no line that can be taken. Correct it.',
    invalid:
      'The file has to begin with the line email,phone,points, and each quote in it has to be ' +
      'closed. Correct it.',
    too_big: 'The file has more than 10,000 lines, or more than 10,000,000 points. Split it.',
  },
  uploaded: 'The file is uploaded, and waits until it is approved.',
  none: 'No file yet',
  list: 'Imports',
  status: {
    draft: 'Waits for approval',
    running: 'Is being brought over',
    done: 'Brought over',
    withdrawn: 'Withdrawn',
    reverting: 'Is being taken back',
    reverted: 'Taken back',
  } satisfies Record<Import['status'], string>,
  rows: (count: number, shown: string) => (count === 1 ? '1 line' : `${shown} lines`),
  uploadedAt: (when: string) => `Uploaded ${when}`,
  matched: (count: number, shown: string) =>
    count === 1 ? '1 has the points' : `${shown} have their points`,
  waiting: (count: number, shown: string) =>
    count === 1 ? '1 has not signed up yet' : `${shown} have not signed up yet`,
  repeated: (shown: string) => `${shown} more than once`,
  notTaken: (points: string) => `${points} had been used and could not be taken back.`,
  mistakes: (count: number, shown: string) =>
    count === 1
      ? '1 line with a mistake was left out'
      : `${shown} lines with mistakes were left out`,
  most: 'The first 100 lines with mistakes, which were left out',
  mistake: (line: string, what: string) => `Line ${line}: ${what}`,
  mistakesOf: {
    required: 'the address and the number, or the points, are missing',
    invalid_format: 'an address, a number or the points are not written as they have to be',
    too_small: 'less than 1 point',
    too_big: 'more than 100,000 points',
    invalid: 'it does not have three columns',
  },
  withdrawOf: (rows: string) => `Withdraw this file of ${rows}`,
  withdraw: 'Withdraw it',
  withdrawWhat: 'It is deleted before anyone gets points of it. You can upload it again.',
  keep: 'Keep it',
  withdrawn: 'The file is withdrawn.',
} as const;

/** What the back office says besides. */
export const officeImportTexts = {
  lead: 'Points that shops bring over. No one approves a file that is about themselves.',
  empty: 'No shop has uploaded a file.',
  foreseen: 'Once approved, by what was known at the upload:',
  approve: {
    open: 'Approve',
    of: (shop: string) => `Approve the file of ${shop}`,
    title: (shop: string) => `Bring over the members of ${shop}?`,
    what: (points: string, rows: string) =>
      `${points} in ${rows}. Repeat the sum, so that you approve what you have looked at.`,
    sum: 'Sum of points',
    wrong: 'Write the sum as a whole number.',
    submit: 'Bring them over',
    done: (shop: string) => `The members of ${shop} are being brought over.`,
  },
  revert: {
    open: 'Take back',
    of: (shop: string) => `Take back the file of ${shop}`,
    title: (shop: string) => `Take back the points of ${shop}?`,
    what: 'Within 24 hours of the approval. What customers have used already cannot be taken back.',
    submit: 'Take them back',
    done: (shop: string) => `The points of ${shop} are being taken back.`,
  },
} as const;
