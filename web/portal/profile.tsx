import { type FormEvent, useState } from 'react';
import { useClient } from '../shared/client.tsx';
import { providerList } from '../shared/providers.ts';
import { Button, ErrorNotice, Notice, Section } from '../shared/ui/basics.tsx';
import { SelectField, TextField } from '../shared/ui/fields.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { portalTexts } from '../texts/portal.ts';
import { LogoSection } from './logo.tsx';
import { useShop } from './shop.tsx';

const { profile: texts } = portalTexts;
const UNSET = 'unset';
const PREFERENCES = [
  ...providerList.map(({ name, label }) => ({ value: name, text: label })),
  { value: 'other' as const, text: texts.otherPreference },
];

type Draft = {
  businessName: string;
  country: string;
  currency: string;
  preference: (typeof PREFERENCES)[number]['value'] | typeof UNSET;
  addressLine: string;
  city: string;
  taxId: string;
};

/** What the shop says of itself. */
export default function ProfilePage() {
  return (
    <>
      <PageTitle>{portalTexts.pages.profile}</PageTitle>
      <Details />
      <Section title={texts.logo}>
        <LogoSection />
      </Section>
    </>
  );
}

function Details() {
  const client = useClient();
  const { tenant, tenantId } = useShop();
  const { onboarding } = tenant;
  const [draft, setDraft] = useState<Draft>({
    businessName: tenant.name,
    country: tenant.country ?? '',
    currency: tenant.currency ?? '',
    preference: onboarding.posProviderPreference ?? UNSET,
    addressLine: onboarding.profile?.addressLine ?? '',
    city: onboarding.profile?.city ?? '',
    taxId: onboarding.profile?.taxId ?? '',
  });
  const save = useSubmit({
    send: (wanted: Draft) =>
      client.updateOnboarding({ tenantId, body: bodyOf(wanted, tenant.currency) }),
    changes: [['shops']],
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.submit(draft);
  };
  return (
    <form className="form" onSubmit={submit}>
      <Fields draft={draft} hasCurrency={tenant.currency !== null} onDraft={setDraft} />
      <ErrorNotice error={save.error} />
      {save.result !== undefined && <Notice kind="good">{texts.saved}</Notice>}
      <div>
        <Button type="submit" kind="primary" isRunning={save.isRunning}>
          {texts.save}
        </Button>
      </div>
    </form>
  );
}

function Fields(props: { draft: Draft; hasCurrency: boolean; onDraft(draft: Draft): void }) {
  const { draft, onDraft, hasCurrency } = props;
  const field = (name: Exclude<keyof Draft, 'preference'>) => ({
    value: draft[name],
    onText: (text: string) => onDraft({ ...draft, [name]: text }),
  });
  return (
    <>
      <TextField label={texts.name} required maxLength={200} {...field('businessName')} />
      <div className="form-row">
        <TextField
          label={texts.country}
          hint={texts.countryHint}
          maxLength={2}
          {...field('country')}
        />
        <TextField
          label={texts.currency}
          hint={hasCurrency ? texts.currencySet : texts.currencyHint}
          disabled={hasCurrency}
          maxLength={3}
          {...field('currency')}
        />
        <SelectField
          label={texts.preference}
          value={draft.preference}
          options={[{ value: UNSET, text: texts.unset }, ...PREFERENCES]}
          onValue={(preference) => onDraft({ ...draft, preference })}
        />
      </div>
      <div className="form-row">
        <TextField label={texts.address} autoComplete="off" {...field('addressLine')} />
        <TextField label={texts.city} autoComplete="off" {...field('city')} />
        <TextField label={texts.taxId} {...field('taxId')} />
      </div>
    </>
  );
}

/** What is sent: an empty field removes what was there, a currency is only ever set. */
function bodyOf(draft: Draft, currency: string | null) {
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
  const { preference, addressLine, city, taxId } = draft;
  const code = draft.currency.trim().toUpperCase();
  return {
    businessName: orNull(draft.businessName),
    country: orNull(draft.country.toUpperCase()),
    posProviderPreference: preference === UNSET ? null : preference,
    profile: { addressLine: orNull(addressLine), city: orNull(city), taxId: orNull(taxId) },
    ...(currency === null && code !== '' && { currency: code }),
  };
}
