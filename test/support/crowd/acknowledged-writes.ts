import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 50;
const ANSWER_MS = 3_000;

/** Creates tokens, on one server after the other, and remembers which were acknowledged. */
export class AcknowledgedWrites {
  /** Of the tokens that were created, and not deleted again. */
  readonly ids: number[] = [];
  /** Of the tokens whose deletion was acknowledged. */
  readonly deleted: number[] = [];
  readonly #keep: number;
  readonly #ends = new AbortController();
  readonly #running: Promise<void>;

  /** @param keep how many tokens there are at most: for each further one, the oldest is deleted. Default: any number */
  constructor(origins: readonly string[], secret: string, keep = Infinity) {
    this.#keep = keep;
    this.#running = this.#run(origins, secret);
  }

  async stop(): Promise<void> {
    this.#ends.abort();
    await this.#running;
  }

  async #run(origins: readonly string[], secret: string): Promise<void> {
    for (let turn = 0; !this.#ends.signal.aborted; turn += 1) {
      const origin = origins[turn % origins.length]!;
      const id = await this.#create(origin, secret).catch(() => undefined);
      if (id !== undefined) this.ids.push(id);
      if (this.ids.length > this.#keep) await this.#deleteOldest(origin, secret);
      await pause(PAUSE_MS);
    }
  }

  /** A deletion that is not acknowledged may have happened: nothing is known of the token then. */
  async #deleteOldest(origin: string, secret: string): Promise<void> {
    const oldest = this.ids.shift()!;
    const deletion = fetch(`${origin}/api/subscribe_token/${oldest}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${secret}` },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const isDone = await deletion.then(({ ok }) => ok).catch(() => false);
    if (isDone) this.deleted.push(oldest);
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
