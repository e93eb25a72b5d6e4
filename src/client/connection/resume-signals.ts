/** Calls `resume` when the browser is online again, and when somebody looks at the page again, until `signal` aborts. */
export function onResume(signal: AbortSignal, resume: (type: 'online' | 'visible') => void): void {
  globalThis.addEventListener?.('online', () => resume('online'), { signal });
  const page = globalThis.document as Document | undefined;
  page?.addEventListener('visibilitychange', () => page.visibilityState === 'visible' && resume('visible'), { signal });
}
