import { useState } from 'react';
import { type Schema, useClient } from '../shared/client.tsx';
import { moment, money, number } from '../shared/format.ts';
import { Badge, Button, Notice } from '../shared/ui/basics.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { PagedItems } from '../shared/ui/lists.tsx';
import { usePages } from '../shared/use-pages.ts';
import { portalTexts } from '../texts/portal.ts';
import { oneUnit } from './rule-draft.ts';
import { RuleDialog } from './rule-form.tsx';
import { useShop } from './shop.tsx';

const { rules: texts } = portalTexts;
const { terms: words } = texts;
const KINDS = { in_effect: 'good', scheduled: 'warn', superseded: 'plain' } as const;

/** The versions of the shop's rule: the one in effect, those to come, and those before. */
export default function RulesPage() {
  const client = useClient();
  const { tenantId, currency } = useShop();
  const [isOpen, setOpen] = useState(false);
  const rules = usePages(['rules', tenantId], () => client.all.listRewardRules({ tenantId }));
  return (
    <>
      <PageTitle
        action={
          <Button kind="primary" disabled={currency === null} onClick={() => setOpen(true)}>
            {texts.publish}
          </Button>
        }
      >
        {portalTexts.pages.rules}
      </PageTitle>
      {currency === null && <Notice kind="plain">{texts.needsCurrency}</Notice>}
      <PagedItems list={rules} empty={texts.empty} label={texts.list}>
        {(rule) => <Rule rule={rule} currency={currency} />}
      </PagedItems>
      {currency !== null && (
        <RuleDialog currency={currency} isOpen={isOpen} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

function Rule({ rule, currency }: { rule: Schema['RewardRule']; currency: string | null }) {
  const { version, status, ruleConfig, createdBy } = rule;
  return (
    <div className="rule">
      <div className="rule-head">
        <strong>{texts.version(version)}</strong>
        <Badge kind={KINDS[status]}>{texts.status[status]}</Badge>
        <span className="muted">{texts.from(moment(ruleConfig.effectiveFrom))}</span>
        {createdBy !== null && (
          <span className="muted">{texts.by(createdBy.email ?? createdBy.userId)}</span>
        )}
      </div>
      <p>{termsText(ruleConfig, currency)}</p>
    </div>
  );
}

/** What a rule says, in words: only what differs from saying nothing. */
function termsText(rule: Schema['RuleConfig'], currency: string | null): string {
  const unit = currency === null ? 1 : oneUnit(currency);
  const { conversionRate, minSpendMinorUnits, maxPointsPerTransaction } = rule;
  const { minBalanceToRedeem, maxRedemptionPercentage, roundingPolicy } = rule;
  const parts = [words.perUnit(number(conversionRate * unit), money(unit, currency))];
  if (minSpendMinorUnits > 0) parts.push(words.from(money(minSpendMinorUnits, currency)));
  if (maxPointsPerTransaction !== null) parts.push(words.cap(number(maxPointsPerTransaction)));
  parts.push(texts.rounding[roundingPolicy]);
  if (minBalanceToRedeem > 0) parts.push(words.minBalance(number(minBalanceToRedeem)));
  if (maxRedemptionPercentage < 100) parts.push(words.share(number(maxRedemptionPercentage)));
  return `${parts.join(', ')}.`;
}
