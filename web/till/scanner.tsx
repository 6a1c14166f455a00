import { BarcodeDetector as Ponyfill, prepareZXingModule } from 'barcode-detector/ponyfill';
import { useEffect, useRef, useState } from 'react';
// Of the version that barcode-detector is made for: package.json names the same one.
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url';
import { tillTexts } from '../texts/en/till.ts';

const { camera: texts } = tillTexts;
const LOOK_EVERY_MS = 150;
/** A code that was out of sight for less is the one that was there before. */
const AGAIN_AFTER_MS = 2_500;

type Trouble = 'none' | 'refused' | 'broken';

/** Shows what the camera sees, for as long as it is shown, and tells of each code once. */
export default function Scanner({ onText }: { onText(text: string): void }) {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<Trouble | 'starting' | 'looking'>('starting');
  const found = useRef(onText);
  found.current = onText;

  useEffect(() => {
    const leave = new AbortController();
    const { signal } = leave;
    const picture = video.current;
    if (picture !== null) {
      const onStart = () => setState('looking');
      watch(picture, { signal, onStart, onText: (text) => found.current(text) }).catch(
        (error: unknown) => {
          if (!signal.aborted) setState(troubleOf(error));
        },
      );
    }
    return () => leave.abort();
  }, []);

  const hasTrouble = state !== 'starting' && state !== 'looking';
  return (
    <>
      <video ref={video} muted playsInline hidden={hasTrouble} aria-label={texts.picture} />
      <p className={hasTrouble ? 'camera-trouble' : 'camera-hint'} role="status">
        {hasTrouble ? texts[state] : state === 'starting' ? texts.starting : texts.aim}
      </p>
    </>
  );
}

/** Looks through the camera until the signal is given, and turns it off again in any case. */
async function watch(
  picture: HTMLVideoElement,
  options: { signal: AbortSignal; onStart(): void; onText(text: string): void },
): Promise<void> {
  const { signal } = options;
  const detector = await detectorOfQrCodes();
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment', width: { ideal: 1280 } },
  });
  const awake = navigator.wakeLock?.request('screen').catch(() => undefined);
  const tell = onceInSight(options.onText);
  try {
    signal.throwIfAborted();
    picture.srcObject = stream;
    await picture.play();
    options.onStart();
    while (!signal.aborted) {
      if (!stream.active) throw new DOMException('The camera was taken away.', 'NotFoundError');
      const [code] = await detector.detect(picture);
      if (code !== undefined && !signal.aborted) tell(code.rawValue);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  } finally {
    for (const track of stream.getTracks()) track.stop();
    void awake?.then((lock) => lock?.release());
  }
}

/** Passes on a text once, however long it is held in front of the camera. */
function onceInSight(onText: (text: string) => void): (text: string) => void {
  let last: { text: string; at: number } | undefined;
  return (text) => {
    const at = performance.now();
    const isNew = last?.text !== text || at - last.at > AGAIN_AFTER_MS;
    last = { text, at };
    if (isNew) onText(text);
  };
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
