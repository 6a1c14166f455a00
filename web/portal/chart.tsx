import { day, number } from '../shared/format.ts';

type Point = { from: string; values: readonly number[] };

const [WIDTH, HEIGHT, BOTTOM, LEFT] = [720, 220, 24, 44] as const;

/** Bars side by side for each interval. It only draws: its table says the same to everybody. */
export function BarChart(props: {
  label: string;
  series: readonly string[];
  points: readonly Point[];
}) {
  const { points, series } = props;
  const most = Math.max(1, ...points.flatMap(({ values }) => values));
  const slot = (WIDTH - LEFT) / Math.max(1, points.length);
  const bar = Math.max(1, (slot * 0.8) / series.length);
  const heightOf = (value: number) => (Math.max(0, value) / most) * (HEIGHT - BOTTOM - 10);
  const every = Math.ceil(points.length / 6);
  return (
    <figure className="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={props.label}>
        {[0, 0.5, 1].map((share) => {
          const y = HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - 10);
          return (
            <g key={share}>
              <line className="chart-line" x1={LEFT} x2={WIDTH} y1={y} y2={y} />
              <text className="chart-text" x={LEFT - 6} y={y + 4} textAnchor="end">
                {number(Math.round(most * share))}
              </text>
            </g>
          );
        })}
        {points.map(({ from, values }, index) => (
          <g key={from}>
            {values.map((value, nth) => (
              <rect
                key={series[nth]}
                className={`chart-bar chart-bar-${nth}`}
                x={LEFT + index * slot + slot * 0.1 + nth * bar}
                y={HEIGHT - BOTTOM - heightOf(value)}
                width={bar}
                height={heightOf(value)}
              />
            ))}
            {index % every === 0 && (
              <text className="chart-text" x={LEFT + index * slot} y={HEIGHT - 6}>
                {day(from).replace(/, \d{4}$/, '')}
              </text>
            )}
          </g>
        ))}
      </svg>
      <figcaption className="legend">
        {series.map((name, nth) => (
          <span key={name} className={`legend-${nth}`}>
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
