import { useQuery } from '@tanstack/react-query';
import { type Schema, useClient } from '../shared/client.tsx';
import { colleagueName } from '../shared/colleague.ts';
import { number } from '../shared/format.ts';
import { ErrorNotice, Moment, Skeleton } from '../shared/ui/basics.tsx';
import { worthOf } from '../shared/worth.ts';
import { codeTexts } from '../texts/en/codes.ts';
import { portalTexts } from '../texts/en/portal.ts';
import { tableTexts as texts } from '../texts/en/tables.ts';
import { StatusOf } from './code-columns.tsx';
import { CustomerLink, type Fact, Facts } from './facts.tsx';
import { Resend } from './resend.tsx';
import { useShop } from './shop.tsx';

const { columns } = codeTexts;

type Code = Schema['ShopRedemption'];

/** All about a code: whose it is, what it is worth, and what became of it. */
export function CodeDetails({ redemptionId }: { redemptionId: string }) {
  const client = useClient();
  const { tenantId } = useShop();
  const code = useQuery({
    queryKey: ['codes', tenantId, 'one', redemptionId],
    queryFn: () => client.showTenantRedemption({ tenantId, redemptionId }),
  });
  if (code.data === undefined) {
    return code.error === null ? <Skeleton /> : <ErrorNotice error={code.error} />;
  }
  return (
    <>
      <Facts facts={factsOf(code.data)} />
      {code.data.status === 'issued' && (
        <div>
          <Resend code={code.data} />
        </div>
      )}
    </>
  );
}

function factsOf(code: Code): Fact[] {
  const { consumer, expiresAt, issuedAt, points, status, usedAt, usedBy } = code;
  return [
    [columns.worth, worthOf(code)],
    [columns.points, number(points)],
    [columns.who, <CustomerLink key="who" consumer={consumer} />],
    [columns.status, <StatusOf key="status" code={code} />],
    [columns.issued, <Moment key="issued" iso={issuedAt} />],
    [texts.until, status === 'issued' && <Moment key="until" iso={expiresAt} />],
    [columns.used, usedAt !== null && <Moment key="used" iso={usedAt} />],
    [texts.usedBy, usedBy !== null && colleagueName(usedBy, portalTexts.none)],
  ];
}
