/** What a color of a shop is shown as, for both schemes: values of CSS. */
export type Brand = {
  /** Grounds, lines and bars: told apart from the page. */
  ground: string;
  /** Words on such a ground. */
  onGround: string;
  /** Words on the page. */
  ink: string;
};

type Rgb = readonly [number, number, number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** What words stand on that is closest to them, in the light and in the dark: `--raised`. */
const PAGE = { light: '#f0ede7', dark: '#232b2e' } as const;
/** WCAG 2.2, AA: of words, and of what is no word. */
const LEAST = { words: 4.5, parts: 3 } as const;
const STEPS = 50;

/** Finds what is closest to a color and can be seen and read, in the light and in the dark. */
export function brandOf(color: string): Brand {
  const light = shownOn(rgbOf(PAGE.light), rgbOf(color), BLACK);
  const dark = shownOn(rgbOf(PAGE.dark), rgbOf(color), WHITE);
  const both = (read: (shown: typeof light) => Rgb) =>
    `light-dark(${hexOf(read(light))}, ${hexOf(read(dark))})`;
  return {
    ground: both(({ ground }) => ground),
    onGround: both(({ onGround }) => onGround),
    ink: both(({ ink }) => ink),
  };
}

function shownOn(page: Rgb, color: Rgb, towards: Rgb) {
  const ground = closest(color, towards, (one) => contrast(one, page) >= LEAST.parts);
  const ink = closest(color, towards, (one) => contrast(one, page) >= LEAST.words);
  // On what is too light for white words, black ones are read: between them is no gap.
  const onGround = contrast(WHITE, ground) >= LEAST.words ? WHITE : BLACK;
  return { ground, onGround, ink };
}

/** The first color on the way to another that will do. */
function closest(from: Rgb, to: Rgb, willDo: (color: Rgb) => boolean): Rgb {
  for (let step = 0; step < STEPS; step++) {
    const color = mixed(from, to, step / STEPS);
    if (willDo(color)) return color;
  }
  return to;
}

/** How far two colors are apart, from 1 to 21, as WCAG counts it. */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mixed(from: Rgb, to: Rgb, share: number): Rgb {
  const part = (nth: 0 | 1 | 2) => Math.round(from[nth] + (to[nth] - from[nth]) * share);
  return [part(0), part(1), part(2)];
}

/** Reads `#rrggbb`. */
export function rgbOf(hex: string): Rgb {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

function hexOf(color: Rgb): string {
  return `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
