import { Link } from 'wouter';
import type { Schema } from '../shared/client.tsx';
import { auditTexts as texts } from '../texts/audit.ts';

type Entry = Schema['AuditEntry'];

/** Who did it and to whom, each with a way to their page. */
export function ActorAndTarget({ entry }: { entry: Entry }) {
  return (
    <>
      <Actor entry={entry} />
      <Target entry={entry} />
    </>
  );
}

function Actor({ entry: { actorUserId, actorEmail, operator } }: { entry: Entry }) {
  if (actorUserId === null) return operator === null ? texts.ops : texts.operator(operator);
  return <Link href={`/people/${actorUserId}`}>{actorEmail ?? texts.somebody}</Link>;
}

function Target({ entry: { targetType, targetId, tenantId } }: { entry: Entry }) {
  const links = [
    targetType === 'wallet' && { href: `/wallets/${targetId}`, text: texts.targets.wallet },
    targetType === 'user' && { href: `/people/${targetId}`, text: texts.targets.user },
    tenantId !== null && { href: `/shops/${tenantId}`, text: texts.shop },
  ];
  return links.map(
    (link) =>
      link !== false && (
        <span key={link.href}>
          {' · '}
          <Link href={link.href}>{link.text}</Link>
        </span>
      ),
  );
}
