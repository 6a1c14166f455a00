import { z } from 'zod';
import type { Erasure } from '../../db/users/erasures.ts';
import { ERASURE_STATUSES, erasureStatusOf } from '../../domain/erasure.ts';
import { ErasureId } from '../../domain/ids.ts';

/** The erasure of a person. */
export const ErasureSchema = z
  .object({
    erasureId: ErasureId,
    status: z
      .enum(ERASURE_STATUSES)
      .describe('`scheduled` until it begins, and can be withdrawn until then.'),
    at: z.iso.datetime().describe('When it begins, or began.'),
  })
  .meta({ id: 'Erasure' });

export const WithdrawnErasure = z.object({
  ok: z.literal(true),
  erasureId: ErasureId,
  status: z.literal('withdrawn').describe('Nothing is erased.'),
});

export const erasureExample: z.infer<typeof ErasureSchema> = {
  erasureId: ErasureId.parse('7d1f3b5a-9c8e-4d2f-a1b3-5c7e9d1f3b5a'),
  status: 'scheduled',
  at: '2026-01-18T10:00:00.000Z',
};
export const withdrawnExample: z.infer<typeof WithdrawnErasure> = {
  ok: true,
  erasureId: erasureExample.erasureId,
  status: 'withdrawn',
};

/** Builds the resource of an erasure. */
export function erasureAnswerOf({ id, beginsAt, ...times }: Erasure) {
  const at = times.begunAt ?? beginsAt;
  return { erasureId: id, status: erasureStatusOf(times), at: at.toISOString() };
}

/** Builds the answer to the withdrawal of an erasure. */
export function withdrawnAnswerOf({ id }: Pick<Erasure, 'id'>) {
  return { ok: true as const, erasureId: id, status: 'withdrawn' as const };
}
