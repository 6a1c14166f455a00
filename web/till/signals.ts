import type { Signal } from './checkout.ts';
import { isOn } from './remembered.ts';

type Tone = { hertz: number; from: number; seconds: number };

const TONES: Readonly<Record<Signal, readonly Tone[]>> = {
  found: [{ hertz: 880, from: 0, seconds: 0.07 }],
  taken: [
    { hertz: 880, from: 0, seconds: 0.1 },
    { hertz: 1_319, from: 0.11, seconds: 0.2 },
  ],
  refused: [
    { hertz: 196, from: 0, seconds: 0.18 },
    { hertz: 156, from: 0.2, seconds: 0.3 },
  ],
};
const SHAKES: Readonly<Record<Signal, number[]>> = {
  found: [20],
  taken: [40, 40, 90],
  refused: [220],
};
const LOUDNESS = 0.2;

let audio: AudioContext | undefined;

/** Lets be heard and felt what has happened, where the browser can and nobody has muted it. */
export function give(signal: Signal): void {
  // Before somebody has touched the page, browsers allow neither, and complain of both.
  if (!navigator.userActivation?.hasBeenActive) return;
  if ('vibrate' in navigator) navigator.vibrate(SHAKES[signal]);
  if (isOn('mute')) return;
  audio ??= new AudioContext();
  void audio.resume();
  for (const tone of TONES[signal]) play(audio, tone);
}

function play(on: AudioContext, { hertz, from, seconds }: Tone): void {
  const start = on.currentTime + from;
  const tone = on.createOscillator();
  const volume = on.createGain();
  tone.frequency.value = hertz;
  // A tone that breaks off clicks.
  volume.gain.setValueAtTime(LOUDNESS, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + seconds);
  tone.connect(volume).connect(on.destination);
  tone.start(start);
  tone.stop(start + seconds);
}
