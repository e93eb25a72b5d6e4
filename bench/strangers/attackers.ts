// A hundred strangers in a process of their own, which has the lowest priority: on real networks they would be elsewhere.
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { handleCalls, type Handlers } from '../support/bench-process.js';
import { attacks, type AttackedServer, type AttackName } from './attacks.js';
import { Stranger } from './stranger.js';

const LOWEST_PRIORITY = 19;
setPriority(LOWEST_PRIORITY);

export interface Assault {
  readonly server: AttackedServer;
  readonly attack: AttackName;
  readonly strangers: number;
  readonly forMs: number;
}

/** How often the strangers tried, and how often each status was the answer. `none`: no answer. */
export interface AssaultResult {
  readonly tries: number;
  readonly statuses: Readonly<Record<string, number>>;
}

const handlers = {
  /** Each stranger is in a network of its own, and tries again as soon as the server allows it. */
  async attack({ server, attack, strangers, forMs }: Assault): Promise<AssaultResult> {
    const statuses: Record<string, number> = {};
    const until = performance.now() + forMs;
    const strike = async (stranger: Stranger): Promise<void> => {
      for (;;) {
        const { status = 'none', retryAfterMs = 0 } = await attacks[attack](stranger, server);
        statuses[status] = (statuses[status] ?? 0) + 1;
        const left = until - performance.now();
        if (left <= retryAfterMs) return stranger.close();
        if (retryAfterMs > 0) await sleep(retryAfterMs);
      }
    };
    const all = Array.from({ length: strangers }, (_, index) => new Stranger(server.origin, index));
    await Promise.all(all.map(strike));
    return { tries: Object.values(statuses).reduce((sum, count) => sum + count, 0), statuses };
  },
} satisfies Handlers;

export type Attackers = typeof handlers;

handleCalls(handlers);
