// Viewers without a token who wait, with the code of the package, in a process of their own.
import { awaitStart } from '../../src/client/viewer/await-start.js';
import { handleCalls, type Handlers } from '../support/bench-process.js';

/** Browsers open few at a time. */
const AT_ONCE = 50;

const life = new AbortController();
/** When each was told that the stream is live, in milliseconds since 1970. */
const told: number[] = [];
let lost = 0;

const handlers = {
  /** Resolves when all of them wait, as far as a client can know. */
  async arrive({ origin, stream, guests }: { origin: string; stream: string; guests: number }): Promise<void> {
    const [streamAccountId = '', streamName = ''] = stream.split('/');
    const url = `${origin.replace(/^http/, 'ws')}/ws/v2/sub`;
    for (let arrived = 0; arrived < guests; arrived += AT_ONCE) {
      for (let next = 0; next < Math.min(AT_ONCE, guests - arrived); next += 1) {
        awaitStart(url, { streamName, streamAccountId }, life.signal).then(
          (live) => live && told.push(Date.now()),
          () => (lost += 1),
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  },

  result(): { told: readonly number[]; lost: number } {
    return { told, lost };
  },
} satisfies Handlers;

export type WaitingGuestsProcess = typeof handlers;

handleCalls(handlers, () => life.abort());
