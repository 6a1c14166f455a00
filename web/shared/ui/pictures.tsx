import { keysOf } from '../keys-of.ts';

export type PictureName = keyof typeof PICTURES;

/** Of 96 by 96: a ground, lines upon it, and a spot of color. */
const PICTURES = {
  codes: [
    'M14 30h68v12a6 6 0 000 12v12H14V54a6 6 0 000-12z',
    'M14 30h68v12a6 6 0 000 12v12H14V54a6 6 0 000-12zM58 32v5M58 43v5M58 54v5M26 42h20M26 52h13',
    'M70 42a6 6 0 110 12 6 6 0 010-12z',
  ],
  connection: [
    'M32 40h32v10a16 16 0 01-32 0z',
    'M32 40h32v10a16 16 0 01-32 0zM40 40V26M56 40V26M48 66v8c0 6 6 8 12 6',
    'M68 74a6 6 0 110 12 6 6 0 010-12z',
  ],
  customers: [
    'M38 46a12 12 0 100-24 12 12 0 000 24zM16 76a22 22 0 0144 0z',
    'M38 46a12 12 0 100-24 12 12 0 000 24zM16 76a22 22 0 0144 0M60 24a12 12 0 010 21' +
      'M66 56a22 22 0 0114 20',
    'M74 18a6 6 0 110 12 6 6 0 010-12z',
  ],
  done: [
    'M48 80a32 32 0 100-64 32 32 0 000 64z',
    'M48 80a32 32 0 100-64 32 32 0 000 64zM34 49l10 10 19-21',
    'M80 14a5 5 0 110 10 5 5 0 010-10z',
  ],
  history: [
    'M24 16h40l12 12v52H24z',
    'M24 16h40l12 12v52H24zM64 16v12h12M34 40h30M34 52h30M34 64h18',
    'M64 58a7 7 0 110 14 7 7 0 010-14z',
  ],
  nothing: [
    'M18 40l12-20h36l12 20v34H18z',
    'M18 40l12-20h36l12 20v34H18zM18 40h18c0 16 24 16 24 0h18',
    'M48 22a5 5 0 110 10 5 5 0 010-10z',
  ],
  offline: [
    'M28 66a14 14 0 010-28 20 20 0 0139-3 15 15 0 013 31z',
    'M28 66a14 14 0 010-28 20 20 0 0139-3 15 15 0 013 31zM20 20l56 60',
    'M76 18a5 5 0 110 10 5 5 0 010-10z',
  ],
  points: [
    'M22 62h36v16H22z',
    'M22 62h36v16H22zM22 70h36M26 46h36v16M26 46v16M26 54h36',
    'M64 14l4.5 9.3 10.2 1.4-7.4 7.2 1.8 10.1-9.1-4.8-9.1 4.8 1.8-10.1-7.4-7.2 10.2-1.400z',
  ],
  programme: [
    'M18 46h60v34H18z',
    'M18 46h60v34H18zM14 32h68v14H14zM48 32v48M48 32c-14 0-20-6-17-13 4-8 17-2 17 13z' +
      'M48 32c14 0 20-6 17-13-4-8-17-2-17 13z',
    'M76 12a5 5 0 110 10 5 5 0 010-10z',
  ],
  sales: [
    'M26 14h44v68l-7-5-7 5-8-5-8 5-7-5-7 5z',
    'M26 14h44v68l-7-5-7 5-8-5-8 5-7-5-7 5zM36 30h24M36 42h24M36 54h10',
    'M60 50a6 6 0 110 12 6 6 0 010-12z',
  ],
  search: [
    'M42 66a24 24 0 100-48 24 24 0 000 48z',
    'M42 66a24 24 0 100-48 24 24 0 000 48zM60 60l20 20M33 36a12 12 0 0112-8',
    'M74 20a5 5 0 110 10 5 5 0 010-10z',
  ],
  shop: [
    'M18 42h60v38H18z',
    'M18 42v38h60V42' +
      'M14 38l8-20h52l8 20a8.5 8.5 0 01-17 0 8.5 8.5 0 01-17 0 8.5 8.5 0 01-17 0' +
      ' 8.5 8.5 0 01-17 0z' +
      'M40 80V58h16v22',
    'M68 56a5 5 0 110 10 5 5 0 010-10z',
  ],
  team: [
    'M22 22h52v58H22z',
    'M22 22h52v58H22zM40 14v14h16V14M48 54a9 9 0 100-18 9 9 0 000 18zM33 70a15 15 0 0130 0',
    'M78 74a5 5 0 110 10 5 5 0 010-10z',
  ],
  webhooks: [
    'M30 74a12 12 0 100-24 12 12 0 000 24zM66 74a12 12 0 100-24 12 12 0 000 24z',
    'M48 38a12 12 0 10-12-12M30 74a12 12 0 100-24 12 12 0 000 24z' +
      'M66 74a12 12 0 100-24 12 12 0 000 24zM42 62h12M44 37l-8 14M53 37l7 14',
    'M48 20a6 6 0 110 12 6 6 0 010-12z',
  ],
} as const;

/** All of them. */
export const PICTURE_NAMES = keysOf(PICTURES);

/** A drawing for a place where nothing is yet; what it means is said in words below it. */
export default function Picture({ name }: { name: PictureName }) {
  const [ground, lines, coin] = PICTURES[name];
  return (
    <svg className="picture" viewBox="0 0 96 96" aria-hidden="true">
      <path className="picture-ground" d={ground} />
      <path d={lines} />
      <path className="picture-coin" d={coin} />
    </svg>
  );
}
