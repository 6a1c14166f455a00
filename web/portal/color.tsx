import { useId, useState } from 'react';
import { useClient } from '../shared/client.tsx';
import { Button, CommandNotice, Meter } from '../shared/ui/basics.tsx';
import { Branded } from '../shared/ui/branded.tsx';
import { useToast } from '../shared/ui/toast.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { profileTexts as texts } from '../texts/en/profile.ts';
import { useShop } from './shop.tsx';

/** What the picker shows while no color is chosen: that of the apps. */
const OURS = '#0b5a68';

/** The color of the shop: chosen, seen as customers see it by day and by night, kept. */
export function ColorSection() {
  const client = useClient();
  const say = useToast();
  const { tenantId, tenant } = useShop();
  const { color } = tenant.branding;
  const [draft, setDraft] = useState(color);
  const id = useId();
  const save = useSubmit({
    send: (wanted: string | null, attempt) =>
      client.updateBranding({ tenantId, body: { color: wanted } }, attempt),
    changes: [['shops']],
    onDone: () => say(texts.saved),
  });
  return (
    <div className="form">
      <div className="color-row">
        <div className="field">
          <label htmlFor={id}>{texts.color}</label>
          <input
            id={id}
            type="color"
            value={draft ?? OURS}
            aria-describedby={`${id}-hint`}
            onChange={(event) => setDraft(event.target.value)}
          />
        </div>
        <Branded color={draft}>
          <Preview scheme="light" name={tenant.name} logoUrl={tenant.branding.logoUrl} />
          <Preview scheme="dark" name={tenant.name} logoUrl={tenant.branding.logoUrl} />
        </Branded>
      </div>
      <p className="hint" id={`${id}-hint`}>
        {texts.colorHint}
      </p>
      <CommandNotice command={save} />
      <div className="button-row">
        <Button
          kind="primary"
          disabled={draft === color}
          isRunning={save.isRunning}
          onClick={() => save.submit(draft)}
        >
          {texts.saveColor}
        </Button>
        {draft !== null && <Button onClick={() => setDraft(null)}>{texts.noColor}</Button>}
      </div>
    </div>
  );
}

function Preview(props: { scheme: 'light' | 'dark'; name: string; logoUrl: string | null }) {
  const { scheme, name, logoUrl } = props;
  return (
    <figure className={`preview preview-${scheme}`}>
      <div className="brand-card">
        {logoUrl !== null && <img className="brand-logo" src={logoUrl} alt="" />}
        <span>{name}</span>
        <strong>{texts.previewPoints}</strong>
      </div>
      <Meter value={3} max={4} label={texts.previewMeter} />
      <figcaption>{texts.schemes[scheme]}</figcaption>
    </figure>
  );
}
