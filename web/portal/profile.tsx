import type { FormEvent } from 'react';
import { Link } from 'wouter';
import { useClient } from '../shared/client.tsx';
import { currencyName, zoneName } from '../shared/format.ts';
import { providerList } from '../shared/providers.ts';
import { Button, CommandNotice, Section } from '../shared/ui/basics.tsx';
import { SelectField, TextField } from '../shared/ui/fields.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { useToast } from '../shared/ui/toast.tsx';
import { useDraft } from '../shared/use-draft.ts';
import { useSubmit } from '../shared/use-submit.ts';
import { portalTexts } from '../texts/en/portal.ts';
import { profileTexts as texts } from '../texts/en/profile.ts';
import { ChoiceField } from './choice-field.tsx';
import { ColorSection } from './color.tsx';
import { LogoSection } from './logo.tsx';
import { countries, currencies } from './places.ts';
import { useShop } from './shop.tsx';

const COUNTRIES = countries();
const CURRENCIES = currencies();
const UNSET = 'unset';
const PREFERENCES = [
  ...providerList.map(({ name, label }) => ({ value: name, text: label })),
  { value: 'other' as const, text: texts.otherPreference },
];

type Draft = {
  businessName: string;
  country: string;
  /** What is chosen, while the shop has none; empty for nothing. */
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
      <Section title={texts.color}>
        <ColorSection />
      </Section>
    </>
  );
}

function Details() {
  const client = useClient();
  const say = useToast();
  const { tenant, tenantId, posConnection } = useShop();
  const { onboarding } = tenant;
  const [draft, setDraft, forget] = useDraft<Draft>(`profile.${tenantId}`, () => ({
    businessName: tenant.name,
    country: tenant.country ?? '',
    currency: '',
    preference: onboarding.posProviderPreference ?? UNSET,
    addressLine: onboarding.profile?.addressLine ?? '',
    city: onboarding.profile?.city ?? '',
    taxId: onboarding.profile?.taxId ?? '',
  }));
  const save = useSubmit({
    send: (wanted: Draft, attempt) =>
      client.updateOnboarding({ tenantId, body: bodyOf(wanted) }, attempt),
    changes: [['shops']],
    onDone: () => {
      forget();
      say(texts.saved);
    },
  });
  // Leaving a field may change it at the moment at which the next one is changed.
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.submit(draft);
  };
  return (
    <form className="form" onSubmit={submit}>
      <Fields draft={draft} onChange={change} />
      {tenant.currency === null && posConnection?.status === 'active' && (
        <ChoiceField
          label={texts.currency}
          hint={texts.currencyHint}
          choices={CURRENCIES}
          value={draft.currency}
          onValue={(currency) => change({ currency })}
        />
      )}
      <Known />
      <CommandNotice command={save} />
      <div>
        <Button type="submit" kind="primary" isRunning={save.isRunning}>
          {texts.save}
        </Button>
      </div>
    </form>
  );
}

function Fields({ draft, onChange }: { draft: Draft; onChange(part: Partial<Draft>): void }) {
  const field = (name: Exclude<keyof Draft, 'preference'>) => ({
    value: draft[name],
    onText: (text: string) => onChange({ [name]: text }),
  });
  return (
    <>
      <TextField label={texts.name} required maxLength={120} {...field('businessName')} />
      <div className="form-row">
        <TextField label={texts.address} autoComplete="off" {...field('addressLine')} />
        <TextField label={texts.city} autoComplete="off" {...field('city')} />
        <ChoiceField
          label={texts.country}
          choices={COUNTRIES}
          value={draft.country}
          onValue={(country) => onChange({ country })}
        />
      </div>
      <div className="form-row">
        <TextField label={texts.taxId} {...field('taxId')} />
        <SelectField
          label={texts.preference}
          value={draft.preference}
          options={[{ value: UNSET, text: texts.unset }, ...PREFERENCES]}
          onValue={(preference) => onChange({ preference })}
        />
      </div>
    </>
  );
}

/** What the point of sale brought, and what follows from the country. */
function Known() {
  const { currency, posConnection, tenant } = useShop();
  return (
    <dl className="facts">
      <dt>{texts.currency}</dt>
      <dd>
        {currency !== null && `${currencyName(currency)} (${currency})`}{' '}
        <span className="muted">
          {currency !== null && texts.currencySet}
          {currency === null && posConnection === null && texts.currencyComes}
        </span>{' '}
        {currency === null && posConnection === null && (
          <Link href="/providers">{texts.connect}</Link>
        )}
      </dd>
      <dt>{texts.timeZone}</dt>
      <dd>
        {tenant.timeZone === null ? texts.noTimeZone : zoneName(tenant.timeZone)}{' '}
        <span className="muted">{texts.timeZoneHint}</span>
      </dd>
    </dl>
  );
}

/** What is sent: an empty field removes what was there, a currency is only ever set. */
function bodyOf(draft: Draft) {
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
  const { preference, addressLine, city, taxId } = draft;
  return {
    businessName: orNull(draft.businessName),
    country: orNull(draft.country),
    posProviderPreference: preference === UNSET ? null : preference,
    profile: { addressLine: orNull(addressLine), city: orNull(city), taxId: orNull(taxId) },
    ...(draft.currency !== '' && { currency: draft.currency }),
  };
}
