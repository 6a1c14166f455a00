import { useEffect, useRef, useState } from 'react';
import { number } from '../shared/format.ts';
import { pointsText } from '../shared/points-text.ts';
import { commonTexts } from '../texts/en/common.ts';

const COUNTS_FOR_MS = 900;

/** A number of points, which is seen to count to its new value; screen readers hear that alone. */
export function CountUp({ points }: { points: number }) {
  const shown = useCounted(points);
  return (
    <>
      <span className="number" aria-hidden="true">
        {commonTexts.points(points, number(shown))}
      </span>
      <span className="hidden">{pointsText(points)}</span>
    </>
  );
}

function useCounted(points: number): number {
  const [shown, setShown] = useState(points);
  const from = useRef(points);
  useEffect(() => {
    const start = from.current;
    from.current = points;
    if (start === points || matchMedia('(prefers-reduced-motion: reduce)').matches) {
      setShown(points);
      return;
    }
    const began = performance.now();
    let frame = requestAnimationFrame(function count(now) {
      const part = Math.min(1, Math.max(0, now - began) / COUNTS_FOR_MS);
      // Slower towards the end.
      setShown(Math.round(start + (points - start) * (1 - (1 - part) ** 3)));
      if (part < 1) frame = requestAnimationFrame(count);
    });
    return () => cancelAnimationFrame(frame);
  }, [points]);
  return shown;
}
