import { useEffect, useState } from 'react';
import { CheckField, SelectField } from '../shared/ui/fields.tsx';

const SCHEMES = [
  { value: 'light dark', text: 'As the system' },
  { value: 'light', text: 'Light' },
  { value: 'dark', text: 'Dark' },
] as const;
type Scheme = (typeof SCHEMES)[number]['value'];

/** How the page is shown: light or dark, from right to left, with text of twice the size. */
export function Switches() {
  const [scheme, setScheme] = useState<Scheme>('light dark');
  const [isTurned, setTurned] = useState(false);
  const [isLarge, setLarge] = useState(false);
  useEffect(() => {
    const { documentElement: root } = document;
    root.style.colorScheme = scheme;
    root.dir = isTurned ? 'rtl' : 'ltr';
    root.style.fontSize = isLarge ? '200%' : '';
  }, [scheme, isTurned, isLarge]);
  return (
    <div className="filters">
      <SelectField label="Scheme" value={scheme} options={SCHEMES} onValue={setScheme} />
      <CheckField label="From right to left" checked={isTurned} onCheck={setTurned} />
      <CheckField label="Text of twice the size" checked={isLarge} onCheck={setLarge} />
    </div>
  );
}
