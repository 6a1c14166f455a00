import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { useClient } from '../../shared/client.tsx';
import { Button, CommandNotice, EmptyState } from '../../shared/ui/basics.tsx';
import { TextField } from '../../shared/ui/fields.tsx';
import { PageTitle } from '../../shared/ui/frame.tsx';
import { Segments } from '../../shared/ui/segments.tsx';
import { useToast } from '../../shared/ui/toast.tsx';
import { useDraft } from '../../shared/use-draft.ts';
import { useSubmit } from '../../shared/use-submit.ts';
import { portalTexts } from '../../texts/en/portal.ts';
import { rewardTexts as texts } from '../../texts/en/rewards.ts';
import { useShop } from '../shop.tsx';
import { FIRST_DRAFT, type Publication, type RewardDraft, readDraft } from './draft.ts';

const { fields } = texts;
const BACK = { href: '/rewards', text: portalTexts.pages.rewards };
const KINDS = (['item', 'amount'] as const).map((value) => ({ value, text: fields.kinds[value] }));

/** Publishes a reward. */
export default function RewardFormPage() {
  const { currency } = useShop();
  return (
    <>
      <PageTitle back={BACK}>{texts.new}</PageTitle>
      {currency === null ? (
        <EmptyState picture="connection" title={texts.needsCurrency} />
      ) : (
        <RewardForm currency={currency} />
      )}
    </>
  );
}

function RewardForm({ currency }: { currency: string }) {
  const client = useClient();
  const { tenantId } = useShop();
  const [, navigate] = useLocation();
  const say = useToast();
  const [draft, setDraft] = useDraft(`reward.${tenantId}`, () => FIRST_DRAFT);
  const [isChecked, setChecked] = useState(false);
  const publish = useSubmit({
    send: (body: Publication, attempt) => client.publishReward({ tenantId, body }, attempt),
    changes: [['rewards']],
    onDone: () => {
      say(texts.published);
      navigate('/rewards');
    },
  });
  const read = readDraft(draft, currency);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if ('reward' in read) publish.submit(read.reward);
  };
  const problems = isChecked && 'problems' in read ? read.problems : {};
  const field = (name: Exclude<keyof RewardDraft, 'kind'>) => ({
    value: draft[name],
    problem: problems[name],
    onText: (text: string) => setDraft({ ...draft, [name]: text }),
  });
  const isItem = draft.kind === 'item';
  return (
    <form className="form" onSubmit={submit}>
      <TextField label={fields.name} hint={fields.nameHint} maxLength={60} {...field('name')} />
      <Segments
        legend={fields.what}
        options={KINDS}
        value={draft.kind}
        onValue={(kind) => setDraft({ ...draft, kind })}
      />
      <div className="form-row">
        <TextField label={fields.price} inputMode="numeric" {...field('price')} />
        <TextField
          label={isItem ? fields.valueOfItem : fields.valueOfAmount}
          hint={fields.valueHint}
          inputMode="decimal"
          {...field('value')}
        />
      </div>
      <TextField
        label={fields.stock}
        hint={fields.stockHint}
        inputMode="numeric"
        {...field('stock')}
      />
      <TextField
        label={fields.ends}
        hint={fields.endsHint}
        type="datetime-local"
        {...field('ends')}
      />
      <CommandNotice command={publish} />
      <div>
        <Button type="submit" kind="primary" isRunning={publish.isRunning}>
          {texts.publish}
        </Button>
      </div>
    </form>
  );
}
