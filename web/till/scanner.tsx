import { BarcodeDetector as Ponyfill, prepareZXingModule } from 'barcode-detector/ponyfill';
import { useEffect, useRef, useState } from 'react';
// Of the version that barcode-detector is made for: package.json names the same one.
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url';
import { Notice } from '../shared/ui/basics.tsx';
import { tillTexts } from '../texts/till.ts';

const { camera: texts } = tillTexts;
const LOOK_EVERY_MS = 150;

type Trouble = 'none' | 'refused' | 'broken';

/** Shows what the camera sees until there is a code in it. */
export default function Scanner({ onCode }: { onCode(text: string): void }) {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<Trouble | 'starting' | 'looking'>('starting');
  const found = useRef(onCode);
  found.current = onCode;

  useEffect(() => {
    const leave = new AbortController();
    const picture = video.current;
    if (picture !== null) {
      look(picture, leave.signal, () => setState('looking')).then(
        (text) => text !== undefined && found.current(text),
        (error: unknown) => {
          if (!leave.signal.aborted) setState(troubleOf(error));
        },
      );
    }
    return () => leave.abort();
  }, []);

  const hasTrouble = state !== 'starting' && state !== 'looking';
  return (
    <div className="scanner">
      <video ref={video} muted playsInline hidden={hasTrouble} aria-label={texts.picture} />
      {hasTrouble ? (
        <Notice kind="bad">{texts[state]}</Notice>
      ) : (
        <p role="status">{state === 'starting' ? texts.starting : texts.aim}</p>
      )}
    </div>
  );
}

/** Looks through the camera until it sees a code, and turns it off again in any case. */
async function look(
  picture: HTMLVideoElement,
  signal: AbortSignal,
  onStart: () => void,
): Promise<string | undefined> {
  const detector = await detectorOfQrCodes();
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment', width: { ideal: 1280 } },
  });
  try {
    signal.throwIfAborted();
    picture.srcObject = stream;
    await picture.play();
    onStart();
    while (!signal.aborted) {
      const [code] = await detector.detect(picture);
      if (code !== undefined) return code.rawValue;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    return undefined;
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}

/** The browser's own where it has one that reads QR codes, else one in WebAssembly. */
async function detectorOfQrCodes(): Promise<Ponyfill> {
  const own: unknown = Reflect.get(globalThis, 'BarcodeDetector');
  if (isDetector(own)) {
    const formats: readonly string[] = await own.getSupportedFormats().catch(() => []);
    if (formats.includes('qr_code')) return new own({ formats: ['qr_code'] });
  }
  // By default it is fetched from another host.
  await prepareZXingModule({
    overrides: { locateFile: () => new URL(wasm, location.href).href },
    fireImmediately: true,
  });
  return new Ponyfill({ formats: ['qr_code'] });
}

function isDetector(value: unknown): value is typeof Ponyfill {
  return typeof value === 'function' && 'getSupportedFormats' in value;
}

function troubleOf(error: unknown): Trouble {
  if (!(error instanceof DOMException)) return 'broken';
  return error.name === 'NotAllowedError' || error.name === 'SecurityError' ? 'refused' : 'none';
}
