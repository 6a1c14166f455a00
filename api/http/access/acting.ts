import type { Acting } from '../../../db/audit-log.ts';
import type { UserId } from '../../../domain/ids.ts';

/** A request of a signed-in user, as far as the audit log names it. */
export type ActingRequest = { user: { id: UserId }; correlationId: string; requestId: string };

/** Returns who acts by a request, for the audit log. */
export function actingBy({ user, correlationId, requestId }: ActingRequest): Acting {
  return {
    actor: 'user',
    actorUserId: user.id,
    requestId: correlationId,
    generatedRequestId: requestId,
  };
}
