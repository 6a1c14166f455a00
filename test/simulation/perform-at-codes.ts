import { z } from 'zod';
import { ask, outcomeOf } from './client.ts';
import type { Closing } from './model/closing.ts';
import type { Play } from './playing.ts';
import type { StepOf } from './steps.ts';
import { untilReached } from './until-reached.ts';

const Cancelled = z.object({
  status: z.literal('expired'),
  cancelled: z.literal(true),
  usedAt: z.null(),
  code: z.null(),
});

/** Uses a code at the till, several times at once if that is asked. */
export async function burn(play: Play, step: StepOf<'burn'>): Promise<void> {
  const asked = Array.from({ length: step.times }, () => completed(play, step));
  const closings = (await Promise.all(asked)).flat();
  if (closings.length > 0) play.model.raced(step.code, closings);
}

/** Cancels a code, as its consumer or as somebody else. */
export async function cancel(play: Play, step: StepOf<'cancel-code'>): Promise<void> {
  for (const { by, answer } of await cancelled(play, step)) {
    play.model.cancelled(step.code, by, answer);
  }
}

/** Lets the time of a code pass. */
export async function expire(play: Play, { code }: StepOf<'expire'>): Promise<void> {
  if ((await passed(play, code)).length > 0) play.model.overdue(code);
}

/** Lets several ends of a code meet. */
export async function race(play: Play, { code, between }: StepOf<'race'>): Promise<void> {
  const asked = between.map((kind): Promise<Closing[]> => {
    if (kind === 'burn') return completed(play, { code, by: null });
    return kind === 'cancel' ? cancelled(play, { code, by: null }) : passed(play, code);
  });
  const closings = (await Promise.all(asked)).flat();
  if (closings.length > 0) play.model.raced(code, closings);
}

async function completed(
  { deployment, shop }: Play,
  step: Pick<StepOf<'burn'>, 'code' | 'by'>,
): Promise<Extract<Closing, { kind: 'burn' }>[]> {
  const { by } = step;
  const code = shop.codes.get(step.code);
  const token = by === null ? shop.operator : shop.people.get(by)?.token;
  if (code === undefined || token === undefined) return [];
  const body = { code: code.text };
  const request = { method: 'POST', path: '/pos/redemptions/complete', body, token };
  return [{ kind: 'burn', by, answer: outcomeOf(await ask(deployment.urls, request)) }];
}

async function cancelled(
  { deployment, shop }: Play,
  step: StepOf<'cancel-code'> | { code: string; by: null },
): Promise<Extract<Closing, { kind: 'cancel' }>[]> {
  const code = shop.codes.get(step.code);
  const by = step.by ?? code?.person ?? '';
  const token = shop.people.get(by)?.token;
  if (code === undefined || token === undefined) return [];
  const path = `/consumer/redemptions/${code.id}/cancel`;
  const answer = await ask(deployment.urls, { method: 'POST', path, body: {}, token });
  const outcome = outcomeOf(answer);
  const isShown = outcome !== 'ok' || Cancelled.safeParse(answer.body).success;
  return [{ kind: 'cancel', by, answer: isShown ? outcome : JSON.stringify(answer.body) }];
}

/** Moves the time of a code, which rows decide and nobody has to wait for. */
async function passed({ deployment, shop }: Play, name: string): Promise<Closing[]> {
  const code = shop.codes.get(name);
  if (code === undefined) return [];
  // A code that was used, cancelled or has expired stays as it is.
  const moved = await untilReached(async () => {
    const { rowCount } = await deployment.db.raw<{ rowCount: number }>(
      `update redemptions set created_at = created_at - interval '1 hour',
         expires_at = now() - interval '1 second'
       where id = :id and status = 'issued' and expires_at > now()`,
      { id: code.id },
    );
    return rowCount;
  });
  return moved > 0 ? [{ kind: 'expire', answer: 'ok' }] : [];
}
