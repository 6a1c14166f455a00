import {
  Badge,
  Button,
  DrawnCheck,
  EmptyState,
  Meter,
  Moment,
  Notice,
  Section,
  Skeleton,
} from '../shared/ui/basics.tsx';
import { Branded } from '../shared/ui/branded.tsx';
import { Table } from '../shared/ui/lists.tsx';
import { PICTURE_NAMES } from '../shared/ui/pictures.tsx';

const NOTICES = ['good', 'bad', 'plain'] as const;
const BADGES = ['good', 'bad', 'warn', 'plain'] as const;
const SHAPES = ['lines', 'rows', 'cards'] as const;
const COLORS = [null, '#7a1f3d', '#ffd400', '#0b1f4b', '#00b894', '#ffffff', '#000000'];
const SALES = [
  { id: '1', when: '2026-01-15T10:00:00Z', who: 'a***@example.com', outcome: 'Credited' },
  { id: '2', when: '2026-01-15T10:05:00Z', who: 'unknown', outcome: 'No known customer' },
];

/** What shows something: states, messages, lists, cards. */
export function Filled() {
  return (
    <>
      <Section title="Messages">
        {NOTICES.map((kind) => (
          <Notice key={kind} kind={kind}>
            <p>A message of the kind {kind}.</p>
          </Notice>
        ))}
        <div className="button-row">
          {BADGES.map((kind) => (
            <Badge key={kind} kind={kind}>
              {kind}
            </Badge>
          ))}
          <DrawnCheck />
        </div>
        <Meter value={3} max={4} label="Three of four" />
      </Section>
      <Section title="On its way">
        {SHAPES.map((shape) => (
          <Skeleton key={shape} shape={shape} />
        ))}
      </Section>
      <Section title="A table">
        <Table
          label="Sales"
          rows={SALES}
          keyOf={({ id }) => id}
          columns={[
            { title: 'When', cell: ({ when }) => <Moment iso={when} /> },
            { title: 'Customer', cell: ({ who }) => who },
            { title: 'Outcome', cell: ({ outcome }) => <Badge kind="plain">{outcome}</Badge> },
            { title: 'Points', cell: () => '1,250', isNumber: true },
          ]}
        />
      </Section>
      <Section title="In the color of a shop">
        <div className="cards">
          {COLORS.map((color) => (
            <Branded key={color} color={color}>
              <div className="brand-card">
                <span>Corner Café, {color ?? 'without a color'}</span>
                <strong>1,250 points</strong>
              </div>
            </Branded>
          ))}
        </div>
      </Section>
      <Section title="Nothing yet">
        <div className="cards">
          {PICTURE_NAMES.map((picture) => (
            <EmptyState
              key={picture}
              picture={picture}
              title={picture}
              text="What to do about it."
              action={<Button size="small">Do it</Button>}
            />
          ))}
        </div>
      </Section>
    </>
  );
}
