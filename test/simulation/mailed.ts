import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { askForAll } from './client.ts';
import { Contradiction } from './model.ts';
import type { Play } from './playing.ts';
import type { Letter } from './post-office.ts';
import type { Shown } from './shown.ts';

/** Longer than what a killed process had taken is held. */
const LATEST_MS = 130_000;
/** What is due goes out within this, on a busy machine too; what failed once comes later. */
const SOON_MS = 15_000;
const PAUSE_MS = 250;

/** What owners are told of, by what the log of their shop calls it. */
const TOLD = new Set([
  'operator.accept',
  'rule.publish',
  'endpoint.create',
  'endpoint.rotate',
  'tenant.set_currency',
  'tenant.set_time_zone',
  'connection.connect',
  'connection.lost',
]);
const Logged = z.object({ id: z.string(), action: z.string() });

/**
 * Waits until all mails have come that must, and throws a Contradiction if one does not, came to
 * somebody else, or came twice: only what a fault has interrupted is sent again, as the same mail.
 */
export async function expectMailed(play: Play, shown: Shown): Promise<void> {
  const told = await owedToOwners(play);
  // Another history's fault may come while this one waits.
  const { hasBeen } = play.faults;
  await untilRight(play, hasBeen, (letters) => [
    // What a process that was killed had taken is told two minutes later: `expectOwnersTold` waits.
    ...(hasBeen() ? [] : untold(told, letters)),
    ...ownersProblems(told, letters),
    ...inviteProblems(play, letters),
    ...codeProblems(play, shown, letters),
    ...(hasBeen() ? [] : twice(letters.map(({ id }) => id))),
  ]);
}

type OfShop = Pick<Play, 'deployment' | 'shop'>;

/**
 * Waits until owners were told of each change of their shops, also of those that faults have
 * delayed. Throws a Contradiction if one is not.
 */
export async function expectOwnersTold(play: OfShop): Promise<void> {
  const told = await owedToOwners(play);
  const isDisturbed = () => true;
  await untilRight(play, isDisturbed, (letters) => untold(told, letters));
}

/** Waits until nothing is wrong with the mails that came to people of the shop. */
async function untilRight(
  { deployment, shop }: OfShop,
  isDisturbed: () => boolean,
  problemsOf: (letters: readonly Letter[]) => string[],
): Promise<void> {
  const startedAt = Date.now();
  for (;;) {
    const problems = problemsOf(await deployment.mails.lettersTo(`-${shop.mark}@`));
    if (problems.length === 0) return;
    const latestMs = isDisturbed() ? LATEST_MS : SOON_MS;
    if (Date.now() - startedAt > latestMs) {
      throw new Contradiction(['Of mails:', ...problems.slice(0, 10)].join('\n  '));
    }
    await sleep(PAUSE_MS);
  }
}

/** The ids of the mails that the owner of the shop gets, by the log of the shop. */
async function owedToOwners({ deployment, shop }: OfShop): Promise<string[]> {
  const path = `/client/tenants/${shop.tenantId}/audit-logs?limit=100`;
  const entries = await askForAll(deployment.urls, Logged, { path, token: shop.merchant });
  return entries.flatMap(({ id, action }) =>
    TOLD.has(action) ? `change-${id}-${shop.merchantUserId}` : [],
  );
}

function untold(told: readonly string[], letters: readonly Letter[]): string[] {
  const ids = toldTo(letters);
  return told.filter((id) => !ids.has(id)).map((id) => `${id} was not told`);
}

/** Owners are told of each change once, and of nothing else but that they were approved. */
function ownersProblems(told: readonly string[], letters: readonly Letter[]): string[] {
  const excess = [...toldTo(letters)].filter((id) => !told.includes(id));
  return excess.length > 1 ? [`told of ${excess.join(', ')}`] : [];
}

/** The ids of the mails about changes that came to the owner. */
function toldTo(letters: readonly Letter[]): ReadonlySet<string> {
  const own = letters.filter(
    ({ to, id }) => to.startsWith('merchant-') && id.startsWith('change-'),
  );
  return new Set(own.map(({ id }) => id));
}

/** Who is invited gets one mail on behalf of a shop in a day. */
function inviteProblems({ shop, model }: Play, letters: readonly Letter[]): string[] {
  const own = letters.filter(({ id }) => id.startsWith('invite.'));
  const addresses = new Set(own.map(({ to }) => to));
  const strangers = own.filter(({ id, to }) => !shop.invited.has(`${id.slice(7)} ${to}`));
  const missing = [...shop.invites].filter(([person]) => {
    const isOpen = model.world.invites.get(person) === 'open';
    return isOpen && !addresses.has(shop.addressOf(`${person}.0`, 'email'));
  });
  return [
    ...strangers.map(({ id, to }) => `${to} got ${id}`),
    ...missing.map(([person]) => `${person} was not invited`),
    ...(new Set(own.map(({ id }) => id)).size > addresses.size
      ? ['somebody was invited twice']
      : []),
  ];
}

/**
 * A code comes to its owner, in one mail. Codes that follow each other within a minute wait for
 * each other, so that only the first of a person must have come while it is open.
 */
function codeProblems({ shop }: Play, { codes }: Shown, letters: readonly Letter[]): string[] {
  const own = letters.filter(({ id }) => id.startsWith('redemption-'));
  const isOpen = (id: string) => codes.some((each) => each.id === id && each.status === 'issued');
  const all = [...shop.codes.values()];
  return [...shop.codes].flatMap(([name, { id, text, person, isMailed }], nth) => {
    const holding = own.filter((letter) => letter.text.includes(text));
    const mails = new Set(holding.map((letter) => letter.id));
    const strange = holding.filter(({ to }) => !to.startsWith(`${person}-`));
    const isFirst = all.findIndex((each) => each.person === person) === nth;
    const isTwice = mails.size > 1 && !isSentAgain(mails.size, leftOutOf(all, holding), isOpen);
    return [
      ...strange.map(({ to }) => `code ${name} of ${person} came to ${to}`),
      ...(isTwice ? [`code ${name} came in ${[...mails].join(', ')}`] : []),
      ...(isFirst && isOpen(id) && isMailed && mails.size === 0
        ? [`code ${name} of ${person} did not come`]
        : []),
    ];
  });
}

type Code = { id: string; text: string };

/** A run that is killed before it records a mail sends it again, without codes that have ended. */
function isSentAgain(
  mails: number,
  leftOut: readonly Code[],
  isOpen: (id: string) => boolean,
): boolean {
  return mails === 2 && leftOut.length > 0 && !leftOut.some(({ id }) => isOpen(id));
}

/** The codes that are in some of these mails, and not in all. */
function leftOutOf(codes: readonly Code[], letters: readonly Letter[]): Code[] {
  return codes.filter(({ text }) => {
    const having = letters.filter((letter) => letter.text.includes(text));
    return having.length > 0 && having.length < letters.length;
  });
}

function twice(ids: readonly string[]): string[] {
  return ids.filter((id, nth) => ids.indexOf(id) < nth).map((id) => `${id} came twice`);
}
