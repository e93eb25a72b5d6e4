/** Calls when the machine may have come back: on a network, or its person to this page. Until `signal` aborts. */
export function onResume(signal: AbortSignal, wake: (why: 'online' | 'visible') => void): void {
  globalThis.addEventListener?.('online', () => wake('online'), { signal });
  const page = globalThis.document as Document | undefined;
  page?.addEventListener('visibilitychange', () => page.visibilityState === 'visible' && wake('visible'), { signal });
}
