import { Broadcaster as ServedBroadcaster, type BroadcasterOptions } from '../../src/client/broadcaster/broadcaster.js';
import { StreamError, UnreachableError, type StreamErrorCode } from '../../src/client/errors.js';
import { endedError } from '../../src/client/connection/signalling.js';
import { senderStats, type Health } from './stats.js';
import { delay, runTimeline } from './timeline.js';
import { onCue } from './cues.js';
import { scenarioAt, type Scenario } from './scenario.js';

const SENTENCE = "This is the service's own sentence, for words that the tag does not know.";
/** As if it had been on the air for a while. */
const HAS_BEEN_ON_MS = 754_000;

/** A broadcaster to whom everything happens that can happen to one, if its endpoint asks for it. Nothing is sent. */
export class Broadcaster extends ServedBroadcaster {
  #life: AbortController | undefined;
  #health: Health = 'good';

  override start(options: BroadcasterOptions): void {
    const situation = scenarioAt(options.endpoint);
    if (!situation) return super.start(options);
    this.stop();
    const { signal } = (this.#life = new AbortController());
    runTimeline(signal, () => this.#act(situation, options, signal));
  }

  override stop(): void {
    this.#life?.abort();
    this.#life = undefined;
    super.stop();
  }

  override async replaceTrack(track: MediaStreamTrack): Promise<void> {
    if (!this.#life) await super.replaceTrack(track);
  }

  override async getStats(): Promise<RTCStatsReport | undefined> {
    return this.#life ? senderStats(performance.now() / 1000, this.#health) : super.getStats();
  }

  async #act({ name, detail }: Scenario, { streamName }: BroadcasterOptions, signal: AbortSignal): Promise<void> {
    const broadcast = { streamName, accountId: 'main', since: Date.now() - HAS_BEEN_ON_MS };
    const begin = (): void => this.move({ type: 'connected', broadcast, viewers: 1_284 });
    const error = new UnreachableError('It is only played');
    const lost = (): void => this.move({ type: 'lost', error, attempt: 1, retryInMs: 0 });
    const refuse = (reason: string): void => this.move({ type: 'gave-up', error: endedError(reason, SENTENCE) });
    onCue('begin', signal, begin);
    onCue('mend', signal, begin);
    onCue('break', signal, lost);
    onCue('refuse', signal, () => refuse('stopped_by_owner'));
    this.move({ type: 'start' });
    if (name === 'starting') return;
    await delay(signal);
    if (name === 'rejected') return refuse(detail);
    if (name === 'failed')
      return this.move({ type: 'gave-up', error: new StreamError(detail as StreamErrorCode, SENTENCE) });
    if (name === 'reconnecting') return lost();
    this.#health = (detail || 'good') as Health;
    begin();
  }
}
