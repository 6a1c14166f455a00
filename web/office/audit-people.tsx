import { Link } from 'wouter';
import type { Schema } from '../shared/client.tsx';
import { auditTexts as texts } from '../texts/en/audit.ts';

type Entry = Schema['NamedAuditEntry'];

/** Who did it and to whom, by name, each with a way to their page. */
export function ActorAndTarget({ entry }: { entry: Entry }) {
  const { targetType, targetId, tenantId, tenantName } = entry;
  const links = [
    targetType === 'wallet' && { href: `/wallets/${targetId}`, text: targetOf(entry) },
    targetType === 'user' && { href: `/people/${targetId}`, text: targetOf(entry) },
    tenantId !== null && { href: `/shops/${tenantId}`, text: tenantName ?? texts.shop },
  ];
  return (
    <>
      <Actor entry={entry} />
      {targetType === 'invite' && ` · ${targetOf(entry)}`}
      {links.map(
        (link) =>
          link !== false && (
            <span key={link.href}>
              {' · '}
              <Link href={link.href}>{link.text}</Link>
            </span>
          ),
      )}
    </>
  );
}

/** What an entry is about, by name. */
export function targetOf({ targetType, targetContact, tenantName }: Entry): string {
  const who = targetContact ?? texts.somebody;
  if (targetType === 'wallet') return texts.walletOf(who);
  if (targetType === 'user' || targetType === 'invite') return who;
  return tenantName ?? texts.shop;
}

function Actor({ entry: { actorUserId, actorEmail, operator } }: { entry: Entry }) {
  if (actorUserId === null) return operator === null ? texts.ops : texts.operator(operator);
  return <Link href={`/people/${actorUserId}`}>{actorEmail ?? texts.somebody}</Link>;
}
