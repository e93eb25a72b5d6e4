import { whenThereIsRoom } from '../when-there-is-room.js';

/** What opens sessions, each a method of an engine or of an `Sfu`. */
const OPENINGS = ['publish', 'view', 'addSource', 'sendRelay', 'receiveRelay'] as const;

/**
 * Has each session asked for again while the engine has no room for it, as clients do.
 * @returns the same engine
 */
export function patient<Engine extends object>(engine: Engine): Engine {
  const openings: Partial<Record<(typeof OPENINGS)[number], (...args: unknown[]) => Promise<unknown>>> = engine;
  for (const name of OPENINGS) {
    const open = openings[name]?.bind(engine);
    if (open) openings[name] = (...args) => whenThereIsRoom(() => open(...args));
  }
  return engine;
}
