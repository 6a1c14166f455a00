import { useState } from 'react';

type Switch = 'camera' | 'mute';

// Like all that the till keeps on the device, they go with the sign-in.
const keyOf = (name: Switch) => `loyalty.till.${name}`;

/** Whether something was turned on at this till. */
export function isOn(name: Switch): boolean {
  return localStorage.getItem(keyOf(name)) === 'on';
}

/** A switch of this till, which stays as it was left. */
export function useSwitch(name: Switch): [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(() => isOn(name));
  return [
    on,
    (next) => {
      if (next) localStorage.setItem(keyOf(name), 'on');
      else localStorage.removeItem(keyOf(name));
      setOn(next);
    },
  ];
}
