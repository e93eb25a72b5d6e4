interface Phased extends EventTarget {
  readonly phase: { readonly name: string };
}

const PATIENCE_MS = 12_000;

/**
 * Resolves as soon as a client or a tag is in this phase. A phase may be shorter than the time between two polls, so
 * their events are listened to as well.
 */
export function reachPhase(subject: Phased, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const look = (): void => {
      if (subject.phase.name !== name) return;
      end();
      resolve();
    };
    const timer = setInterval(look, 20);
    const late = setTimeout(() => {
      end();
      reject(new Error(`it is ${subject.phase.name}, not ${name}`));
    }, PATIENCE_MS);
    const end = (): void => {
      over.abort();
      clearInterval(timer);
      clearTimeout(late);
    };
    for (const type of ['phasechange', 'stream-error']) subject.addEventListener(type, look, { signal: over.signal });
    look();
  });
}
