import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 50;
const ANSWER_MS = 3_000;

/** Creates tokens, on one server after the other, and remembers which were acknowledged. */
export class AcknowledgedWrites {
  readonly ids: number[] = [];
  readonly #ends = new AbortController();
  readonly #running: Promise<void>;

  constructor(origins: readonly string[], secret: string) {
    this.#running = this.#run(origins, secret);
  }

  async stop(): Promise<void> {
    this.#ends.abort();
    await this.#running;
  }

  async #run(origins: readonly string[], secret: string): Promise<void> {
    for (let turn = 0; !this.#ends.signal.aborted; turn += 1) {
      const id = await this.#create(origins[turn % origins.length]!, secret).catch(() => undefined);
      if (id !== undefined) this.ids.push(id);
      await pause(PAUSE_MS);
    }
  }

  async #create(origin: string, secret: string): Promise<number | undefined> {
    const response = await fetch(`${origin}/api/subscribe_token`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ label: 'acknowledged', streams: [{ streamName: 'written' }] }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const { data } = await response.json();
    return response.ok ? data.Id : undefined;
  }
}
