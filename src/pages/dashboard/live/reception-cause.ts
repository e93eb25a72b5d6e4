import type { LiveSource } from './live-state.js';

/** Viewers see such a loss, because not all of it can be sent again in time. */
const MUCH_LOSS = 0.03;

/**
 * Why a source does not arrive, or does not go on, as it was sent. A server that is too busy to forward everything is too
 * busy to receive everything as well: what it loses then says nothing about the broadcaster.
 * @returns undefined: little is lost
 */
export function receptionCause({
  loss,
  shed,
  overloaded = false,
}: NonNullable<LiveSource['reception']>): 'server' | 'upload' | undefined {
  if (overloaded || shed > 0) return 'server';
  return loss !== null && loss > MUCH_LOSS ? 'upload' : undefined;
}
