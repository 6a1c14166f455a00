import { verifyPhases } from '../../db/ledger/verification/run.ts';
import { machineMs } from '../clock.ts';
import type { Options } from '../options.ts';
import { formatSpread, type Section } from '../report.ts';
import { appendTo, spreadOf } from '../statistics.ts';
import type { Testbed } from '../testbed.ts';
import { credit } from './crediting.ts';
import type { Built, Pair } from './pair.ts';

/** Sales between two verifications, each of another wallet, the same ones every time. */
const MOVED = 2_000;
/** More than elsewhere, since each is short. */
const REPETITIONS = 5;
const BAR = 1.3;

/**
 * Measures the verification of what moved since the one before, which has left a checkpoint for
 * each wallet. Throws when it finds a problem or another number of wallets.
 */
export async function measureVerifying(
  testbed: Testbed,
  pair: Pair,
  { quick }: Options,
): Promise<Section> {
  const figures = new Map<Built, number[]>();
  for (const built of [pair.small, pair.large]) await verifyMoved(built, 'before');
  for (let repetition = 1; repetition <= (quick ? 1 : REPETITIONS); repetition++) {
    for (const built of [pair.small, pair.large]) {
      testbed.log(`Verifying what moved, repetition ${repetition}, ${built.size.name}`);
      appendTo(figures, built, await verifyMoved(built, `moved-${repetition}`));
    }
  }
  const ms = (built: Built) => spreadOf(figures.get(built) ?? []);
  return {
    title: 'Verification of what moved, ms (min/median/max)',
    note: `${MOVED.toLocaleString('en-GB')} wallets had a sale each since their checkpoints.`,
    columns: ['database', 'wallets', 'ms'],
    rows: [pair.small, pair.large].map((built) => [
      built.size.name,
      built.size.wallets,
      formatSpread(ms(built)),
    ]),
    bars: [
      {
        figure: 'verification of what moved, large ÷ small',
        value: ms(pair.large).median / ms(pair.small).median,
        atMost: BAR,
      },
    ],
  };
}

/**
 * Credits each of the wallets, and returns for how many milliseconds that was then verified. It is
 * made to be ten minutes later than the verification before, which a verification looks back for.
 */
async function verifyMoved(built: Built, series: string): Promise<number> {
  await built.db.raw(
    `update ledger_parts set until_id = first_event_id(clock_timestamp()) where walk = 'moved'`,
  );
  await credit(built, series, MOVED);
  const started = machineMs();
  const { violations, wallets } = await verifyPhases(built.db, { phases: ['moved'] });
  const ms = machineMs() - started;
  if (violations.length > 0 || wallets < MOVED) {
    throw new Error(
      `${wallets} wallets were verified, with ${violations.length} violations: ` +
        `${violations[0]?.problem ?? 'none'}.`,
    );
  }
  return ms;
}
