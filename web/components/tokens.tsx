import { Section } from '../shared/ui/basics.tsx';
import { ICONS, Icon } from '../shared/ui/icons.tsx';

const GROUNDS = ['background', 'surface', 'raised', 'accent-ground', 'good-ground', 'bad-ground'];
const INKS = ['text', 'muted', 'accent', 'good', 'bad', 'warn', 'brand-ink'];
const SIZES = ['tiny', 'small', 'normal', 'lead', 'title', 'heading', 'figure', 'huge'];

/** Colors, sizes of text, and icons. */
export function Tokens() {
  return (
    <>
      <Section title="Colors">
        <ul className="swatches">
          {GROUNDS.map((name) => (
            <li key={name} className={`swatch ground-${name}`}>
              {name}
            </li>
          ))}
          {INKS.map((name) => (
            <li key={name} className={`swatch ink-${name}`}>
              {name}
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Text">
        {SIZES.map((name) => (
          <p key={name} className={`text-${name}`}>
            1,250 points ({name})
          </p>
        ))}
      </Section>
      <Section title="Icons">
        <ul className="icon-list">
          {ICONS.map((name) => (
            <li key={name}>
              <Icon name={name} />
              {name}
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}
