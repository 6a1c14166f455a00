import { generate } from 'lean-qr';
import { useEffect, useRef } from 'react';
import './qr.css';

/** What is left blank around it in its own picture; the page has the rest of its margin. */
const MARGIN = { pad: 2 };

/** A text as a QR code: always dark on light, with its margin, whatever the colors of the page. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current !== null) generate(text).toCanvas(canvas.current, MARGIN);
  }, [text]);
  return (
    <div className="qr">
      <canvas ref={canvas} role="img" aria-label={label} />
    </div>
  );
}
