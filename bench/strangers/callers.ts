// Viewers who call the director while others attack, in a process of their own whose event loop is free.
import { setTimeout as sleep } from 'node:timers/promises';
import { handleCalls, type Handlers } from '../support/bench-process.js';
import { forwardedFrom } from './stranger.js';

/** The time of each call in ms, and how many had no grant. */
export interface Called {
  readonly times: readonly number[];
  readonly failed: number;
}

let arrived = 0;
let calling: { readonly stop: () => Promise<Called> } | undefined;

const handlers = {
  /** So many viewers a second arrive, each from a network of their own, whether or not those before are answered. */
  begin({ origin, stream, perSecond }: { origin: string; stream: string; perSecond: number }): void {
    const [streamAccountId, streamName] = stream.split('/');
    const body = JSON.stringify({ streamName, streamAccountId });
    const times: number[] = [];
    const open = new Set<Promise<void>>();
    let failed = 0;
    const stopping = new AbortController();
    const call = async (): Promise<void> => {
      const began = performance.now();
      const number = (arrived += 1);
      const answer = await fetch(`${origin}/api/director/subscribe`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...forwardedFrom(`11.${number >> 8}.${number & 255}.1`) },
        body,
      }).catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer?.status !== 200) failed += 1;
      times.push(performance.now() - began);
    };
    const run = async (): Promise<void> => {
      for (let due = performance.now(); !stopping.signal.aborted; due += 1_000 / perSecond) {
        await sleep(Math.max(0, due - performance.now()));
        const one = call().finally(() => open.delete(one));
        open.add(one);
      }
    };
    const running = run();
    calling = {
      async stop() {
        stopping.abort();
        await running;
        await Promise.all(open);
        return { times, failed };
      },
    };
  },
  /** Resolves when every call is answered. */
  async end(_argument: null): Promise<Called> {
    const called = await calling?.stop();
    if (!called) throw new Error('nobody calls');
    return called;
  },
} satisfies Handlers;

export type Callers = typeof handlers;

handleCalls(handlers);
