// Whose messages this browser shows. It is remembered also once their sign-in has expired, as the
// browser goes on showing them then.

/** Under which it is remembered that a person has an app's messages shown. */
export const phoneKey = (app: string, sub = '') => `loyalty.phone.${app}.${sub}`;

/**
 * Ends the messages of an app, unless they are shown for the person `but`. The service learns it
 * when it sends the next one. Never rejects.
 */
export async function endPushes(app: string, but?: string): Promise<void> {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(phoneKey(app)));
  if (but !== undefined && keys.every((key) => key === phoneKey(app, but))) return;
  try {
    const registration = await navigator.serviceWorker.getRegistration(`/${app}/`);
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
    for (const key of keys) localStorage.removeItem(key);
  } catch {
    // The browser shows none, or is asked again at the next sign-in.
  }
}
