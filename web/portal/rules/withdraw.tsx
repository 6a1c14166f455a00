import { useState } from 'react';
import { useClient } from '../../shared/client.tsx';
import { day } from '../../shared/format.ts';
import { Button } from '../../shared/ui/basics.tsx';
import { FormDialog } from '../../shared/ui/dialog.tsx';
import { useToast } from '../../shared/ui/toast.tsx';
import { useSubmit } from '../../shared/use-submit.ts';
import { ruleTexts as texts } from '../../texts/en/rules.ts';
import { useShop } from '../shop.tsx';
import type { PlacedRule, Rule } from './history.ts';
import { backText } from './words.ts';

/** Withdraws the rules to come, by publishing the one in effect again. */
export function Withdraw(props: { inEffect: Rule; planned: readonly PlacedRule[] }) {
  const client = useClient();
  const { tenantId } = useShop();
  const say = useToast();
  const [isOpen, setOpen] = useState(false);
  const withdraw = useSubmit({
    send: ({ ruleConfig: { effectiveFrom: _since, ...body } }: Rule, attempt) =>
      client.publishRewardRule({ tenantId, body }, attempt),
    changes: [['rules'], ['shops']],
    onDone: () => {
      say(texts.wasWithdrawn);
      setOpen(false);
    },
  });
  const dates = props.planned.map(({ since }) => day(since)).join(', ');
  const name = props.planned.length === 1 ? texts.withdraw(dates) : texts.withdrawAll(dates);
  return (
    <div>
      <Button onClick={() => setOpen(true)}>{name}</Button>
      <FormDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={`${name}?`}
        submit={name}
        close={texts.keep}
        kind="danger"
        command={withdraw}
        onSubmit={() => withdraw.submit(props.inEffect)}
      >
        <p>{texts.withdrawWhat(backText(props.inEffect.ruleConfig))}</p>
      </FormDialog>
    </div>
  );
}
