import { useId, useState } from 'react';
import { useClient } from '../shared/client.tsx';
import { Button, CommandNotice } from '../shared/ui/basics.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { profileTexts as texts } from '../texts/en/profile.ts';
import { useShop } from './shop.tsx';

const TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;

/** The logo of the shop: shown, replaced, removed. */
export function LogoSection() {
  const client = useClient();
  const { tenantId, tenant } = useShop();
  const { logoUrl } = tenant.branding;
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const upload = useSubmit({
    send: async (file: File, attempt) => {
      const contentType = TYPES.find((type) => type === file.type);
      if (contentType === undefined) throw new Error(texts.wrongType);
      const base64Data = await base64Of(file);
      return client.uploadLogo({ tenantId, body: { contentType, base64Data } }, attempt);
    },
    changes: [['shops']],
  });
  const remove = useSubmit({
    send: (_: undefined, attempt) => client.removeLogo({ tenantId }, attempt),
    changes: [['shops']],
  });
  const choose = (file: File | undefined) => {
    if (file === undefined) return;
    const isPicture = TYPES.some((type) => type === file.type);
    setProblem(isPicture ? undefined : texts.wrongType);
    if (isPicture) upload.submit(file);
  };
  return (
    <div className="form">
      {logoUrl === null ? (
        <p className="muted">{texts.noLogo}</p>
      ) : (
        <img className="logo-preview" src={logoUrl} alt={texts.logoOf(tenant.name)} />
      )}
      <div className="field">
        <label htmlFor={id}>{texts.choose}</label>
        <input
          id={id}
          type="file"
          accept={TYPES.join(',')}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => {
            choose(target.files?.[0]);
            // So that the same file is noticed again, after a failure or once it was removed.
            target.value = '';
          }}
        />
        <p className="hint" id={`${id}-hint`}>
          {texts.logoHint}
        </p>
        {problem !== undefined && (
          <p className="problem" role="alert">
            {problem}
          </p>
        )}
      </div>
      <CommandNotice command={upload} />
      <CommandNotice command={remove} />
      {logoUrl !== null && (
        <div>
          <Button isRunning={remove.isRunning} onClick={() => remove.submit(undefined)}>
            {texts.remove}
          </Button>
        </div>
      )}
    </div>
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
