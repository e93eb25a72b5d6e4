const NO_ROOM = /engine_unavailable|the media engine is overloaded|\b503\b/;
const WITHIN_MS = 60_000;
const PAUSE_MS = 500;

/**
 * Asks as an application does: again while the server has no room. A server refuses new sessions while its media
 * processes are late, as they may be on a busy machine.
 * @param ask begins anew at each call
 */
export async function whenThereIsRoom<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const deadline = Date.now() + WITHIN_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!NO_ROOM.test(String(error)) || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
