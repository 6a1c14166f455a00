// Whose messages this browser shows. It is remembered also once their sign-in has expired, as the
// browser goes on showing them then.

/** Under which it is remembered that a person has an app's messages shown. */
export const phoneKey = (app: string, sub = '') => `loyalty.phone.${app}.${sub}`;

/**
 * Ends the messages of an app that are shown for others than a person, or for whoever it is; the
 * service learns it. Never rejects.
 */
export async function endPushes(app: string, but = ''): Promise<void> {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(phoneKey(app)));
  if (keys.every((key) => key === phoneKey(app, but))) return;
  for (const key of keys) localStorage.removeItem(key);
  try {
    const registration = await navigator.serviceWorker.getRegistration(`/${app}/`);
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
  } catch {
    // The browser shows none.
  }
}
