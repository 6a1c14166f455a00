import type { Play } from './playing.ts';
import { untilReached } from './until-reached.ts';

/**
 * What may explain why the service does not know something: the events of the shop that it has not
 * ingested, what is wrong with its connections, by what anonymous sales and people can be matched,
 * and webhooks that did not arrive.
 */
export async function circumstancesOf({ deployment, shop }: Play): Promise<string> {
  const { tenantId } = shop;
  const merchantIds = Object.values(shop.merchantIds);
  const userIds = [...shop.people.values()].map(({ userId }) => userId);
  const { rows } = await untilReached(() =>
    deployment.db.raw<{ rows: { line: string }[] }>(
      `select concat_ws(' ', provider, event_type, 'waits since', received_at, attempts,
         'attempts', last_error) as line
       from pending_events where tenant_id = :tenantId
       union all
       select concat_ws(' ', provider, event_type, 'was given up or is of nobody', last_error)
       from stalled_events where merchant_id = any(:merchantIds::text[])
       union all
       select concat_ws(' ', provider, status, 'must connect again since', needs_reconnect_since)
       from pos_connections
       where tenant_id = :tenantId and (status <> 'active' or needs_reconnect_since is not null)
       union all
       select concat_ws(' ', c.provider, 'was polled at', p.last_polled_at, 'up to', p.watermark,
         'taken until', p.leased_until, 'asked again at', c.ask_again_at, c.last_error)
       from pos_connections c join connection_polls p on p.connection_id = c.id
       where c.tenant_id = :tenantId
       union all
       select concat_ws(' ', provider, provider_payment_id, 'is anonymous since', created_at,
         case when provider_customer_id is not null then 'names a customer' end,
         case when email_fingerprint is not null then 'keeps an e-mail' end,
         case when phone_fingerprint is not null then 'keeps a phone' end)
       from payments where tenant_id = :tenantId and outcome = 'stored_anonymous'
       union all
       select concat_ws(' ', 'user', id, 'is known since', updated_at,
         case when email_verified then 'by e-mail' end,
         case when phone_verified then 'by phone' end)
       from users where id = any(:userIds::uuid[])
       union all
       select concat_ws(' ', kind, 'of', subject_id, 'is due since', due_at, attempts, 'attempts',
         'taken until', taken_until)
       from due_work where subject_id = any(:userIds::uuid[]) or subject_id = :tenantId`,
      { tenantId, merchantIds, userIds },
    ),
  );
  return [...rows.map(({ line }) => line), ...undelivered({ deployment, shop })]
    .map((line) => `  meanwhile ${line}`)
    .join('\n');
}

/** The newest attempts of webhooks that no attempt has delivered. */
function undelivered({ deployment, shop }: Pick<Play, 'deployment' | 'shop'>): string[] {
  return (['alpha', 'beta'] as const).flatMap((provider) => {
    const open = new Map<string, string>();
    for (const entry of deployment.providers[provider].journal()) {
      if (entry.kind !== 'delivery' || entry.merchantId !== shop.merchantIds[provider]) continue;
      const { eventId, type, attempt, outcome, status, note } = entry;
      const said = [status, note].filter((part) => part !== undefined).join(' ');
      open.set(eventId, `${provider} ${type} was ${outcome} at attempt ${attempt} ${said}`.trim());
      if (outcome === 'accepted') open.delete(eventId);
    }
    return [...open.values()];
  });
}
