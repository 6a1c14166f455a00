import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { Button } from '../shared/ui/basics.tsx';
import { Icon } from '../shared/ui/icons.tsx';
import { tillTexts } from '../texts/en/till.ts';
import { codeIn, memberIn } from './codes.ts';
import { useSwitch } from './remembered.ts';

const Scanner = lazy(() => import('./scanner.tsx'));
const { camera: texts, ready: readyTexts } = tillTexts;
const FOREIGN_SHOWN_MS = 4_000;

/** The camera, which stays on once it was turned on; without it, what else can be done. */
export function Camera(props: { onScan(code: string): void; onMember(number: string): void }) {
  const { onScan, onMember } = props;
  const [isOn, setOn] = useSwitch('camera');
  const [isForeign, setForeign] = useState(false);
  const isVisible = useVisible();
  useEffect(() => {
    if (!isForeign) return;
    const timer = setTimeout(() => setForeign(false), FOREIGN_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isForeign]);
  if (!isOn) {
    return (
      <div className="ready">
        <Icon name="qr" />
        <p className="ready-title">{readyTexts.title}</p>
        <p className="muted">{readyTexts.how}</p>
        <Button icon="camera" onClick={() => setOn(true)}>
          {texts.on}
        </Button>
      </div>
    );
  }
  const onText = (text: string) => {
    const member = memberIn(text);
    if (member !== undefined) return onMember(member);
    const code = codeIn(text);
    setForeign(code === undefined);
    if (code !== undefined) onScan(code);
  };
  return (
    <div className="camera">
      {isVisible && (
        <Suspense fallback={<p className="camera-hint">{texts.starting}</p>}>
          <Scanner onText={onText} />
        </Suspense>
      )}
      {isForeign && (
        <p className="camera-foreign" role="status">
          {texts.foreign}
        </p>
      )}
      <Button size="small" onClick={() => setOn(false)}>
        {texts.off}
      </Button>
    </div>
  );
}

/** Whether the page can be seen: nobody looks through the camera of another one. */
function useVisible(): boolean {
  return useSyncExternalStore(
    (listener) => {
      document.addEventListener('visibilitychange', listener);
      return () => document.removeEventListener('visibilitychange', listener);
    },
    () => document.visibilityState === 'visible',
  );
}
