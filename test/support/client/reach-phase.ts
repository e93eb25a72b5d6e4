interface Phased extends EventTarget {
  readonly phase: { readonly name: string };
}

const PATIENCE_MS = 12_000;

/** Resolves when a client or a tag is in this phase. It listens to events, too: a phase may be shorter than a poll. */
export function reachPhase(subject: Phased, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const check = (): void => {
      if (subject.phase.name !== name) return;
      end();
      resolve();
    };
    const timer = setInterval(check, 20);
    const late = setTimeout(() => {
      end();
      reject(new Error(`the phase is ${subject.phase.name}, not ${name}`));
    }, PATIENCE_MS);
    const end = (): void => {
      over.abort();
      clearInterval(timer);
      clearTimeout(late);
    };
    for (const type of ['phasechange', 'stream-error']) subject.addEventListener(type, check, { signal: over.signal });
    check();
  });
}
