import { useState } from 'react';
import { Button } from '../shared/ui/basics.tsx';
import { Dialog } from '../shared/ui/dialog.tsx';
import { webhookTexts as texts } from '../texts/en/webhooks.ts';

/** Shows the secret of an endpoint, which nobody can see again afterwards. */
export function SecretDialog({ secret, onClose }: { secret: string | undefined; onClose(): void }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(secret ?? '');
    setCopied(true);
  };
  return (
    <Dialog isOpen={secret !== undefined} onClose={onClose} title={texts.secretTitle}>
      <p>{texts.secretWhat}</p>
      <p className="secret">{secret}</p>
      {'clipboard' in navigator && (
        <div className="actions">
          <Button kind="primary" icon="copy" onClick={() => void copy()}>
            <span aria-live="polite">{isCopied ? texts.copied : texts.copy}</span>
          </Button>
        </div>
      )}
    </Dialog>
  );
}
