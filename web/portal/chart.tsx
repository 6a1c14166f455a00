import { type PointerEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { day } from '../shared/format.ts';
import { Table } from '../shared/ui/lists.tsx';
import { portalTexts } from '../texts/en/portal.ts';
import { ticksOf } from './ticks.ts';

const { chart: texts } = portalTexts;

type Bar = { from: string; name: string; values: readonly number[] };

const [HEIGHT, BOTTOM, TOP] = [240, 26, 10] as const;
const FLOOR = HEIGHT - BOTTOM;
/** Of a letter of the labels, and between the labels of two bars. */
const [LETTER, APART] = [7, 58] as const;

type ChartProps = {
  label: string;
  series: readonly string[];
  bars: readonly Bar[];
  isStacked: boolean;
  /** Writes a value, and one at the axis. */
  show(value: number): string;
  showAtAxis(value: number): string;
  /** What is said while nothing is pointed at. */
  total: readonly number[];
};

/** Bars for each interval, and a table that says the same to everybody. */
export function Chart(props: ChartProps & { from: string }) {
  const { label, from, series, bars, show } = props;
  return (
    <>
      <BarChart {...props} />
      <details>
        <summary>{texts.asTable}</summary>
        <Table
          label={label}
          rows={bars}
          keyOf={(bar) => bar.from}
          columns={[
            { title: from, cell: (bar) => day(bar.from) },
            ...series.map((title, nth) => ({
              title,
              cell: ({ values }: Bar) => show(values[nth] ?? 0),
              isNumber: true,
            })),
          ]}
        />
      </details>
    </>
  );
}

/**
 * Bars for each interval, beside each other or on top of each other, as wide as there is room. What
 * is pointed at is said in words.
 */
function BarChart(props: ChartProps) {
  const { bars, series, isStacked, show } = props;
  const [caption, width] = useWidth();
  const [pointed, setPointed] = useState<number>();
  const heights = bars.map(({ values }) => (isStacked ? sumOf(values) : Math.max(...values)));
  const ticks = ticksOf(Math.max(0, ...heights));
  const labels = ticks.map(props.showAtAxis);
  const left = Math.max(...labels.map(({ length }) => length)) * LETTER + 10;
  const slot = (width - left) / Math.max(1, bars.length);
  const yOf = (value: number) => FLOOR - (value / Math.max(1, ticks.at(-1) ?? 1)) * (FLOOR - TOP);
  const every = Math.max(1, Math.ceil(APART / slot));
  const said = pointed === undefined ? undefined : bars[pointed];
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - left;
    const nth = Math.floor(x / slot);
    setPointed(nth >= 0 && nth < bars.length ? nth : undefined);
  };
  return (
    <figure className="chart">
      <figcaption className="legend" ref={caption}>
        {series.map((name, nth) => (
          <span key={name} className={`legend-${nth}`}>
            {name} <strong>{show((said?.values ?? props.total)[nth] ?? 0)}</strong>
          </span>
        ))}
        <span className="legend-when">{said?.name}</span>
      </figcaption>
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={props.label}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setPointed(undefined)}
      >
        {ticks.map((tick, nth) => (
          <g key={tick}>
            <line className="chart-line" x1={left} x2={width} y1={yOf(tick)} y2={yOf(tick)} />
            <text className="chart-text" x={left - 8} y={yOf(tick) + 4} textAnchor="end">
              {labels[nth]}
            </text>
          </g>
        ))}
        {bars.map(({ from, name, values }, index) => {
          const x = left + index * slot;
          return (
            <g key={from} className={pointed === index ? 'chart-slot pointed' : 'chart-slot'}>
              <rect className="chart-ground" x={x} y={TOP} width={slot} height={FLOOR - TOP} />
              <Bars values={values} isStacked={isStacked} x={x} slot={slot} yOf={yOf} />
              {index % every === 0 && (
                <text
                  className="chart-text"
                  x={Math.min(x + slot / 2, width - 20)}
                  y={HEIGHT - 6}
                  textAnchor="middle"
                >
                  {name}
                </text>
              )}
            </g>
          );
        })}
      </svg>
    </figure>
  );
}

/** The bars of an interval: each on what is below it, or beside the one before. */
function Bars(props: {
  values: readonly number[];
  isStacked: boolean;
  x: number;
  slot: number;
  yOf(value: number): number;
}) {
  const { values, isStacked, x, slot, yOf } = props;
  const room = Math.min(slot * 0.72, 44);
  const width = Math.max(1, isStacked ? room : room / values.length);
  const start = x + (slot - room) / 2;
  return values.map((value, nth) => {
    const below = isStacked ? sumOf(values.slice(0, nth)) : 0;
    const [top, bottom] = [yOf(below + Math.max(0, value)), yOf(below)];
    return (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: a series is known by its place
        key={nth}
        className={`chart-bar chart-bar-${nth}`}
        x={isStacked ? start : start + nth * width}
        y={top}
        width={width}
        height={bottom - top}
      />
    );
  });
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + Math.max(0, value), 0);
}

const FIRST_WIDTH = 640;

/** The width of an element without padding, as it changes. */
function useWidth(): [RefObject<HTMLElement | null>, number] {
  const element = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(FIRST_WIDTH);
  // Before it is drawn, or it would be too wide for a moment.
  useLayoutEffect(() => {
    const measured = element.current;
    if (measured === null) return;
    const measure = () => setWidth(measured.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
