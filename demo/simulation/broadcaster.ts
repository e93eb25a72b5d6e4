import { Broadcaster as RealBroadcaster, type BroadcasterOptions } from '../../src/client/broadcaster/broadcaster.js';
import type { BroadcasterRecording } from '../../src/client/broadcaster/broadcaster-recording.js';
import { StreamError, UnreachableError, type StreamErrorCode } from '../../src/client/errors.js';
import { endedError } from '../../src/client/connection/signalling.js';
import { senderStats, type Health } from './stats.js';
import { response, runTimeline } from './timeline.js';
import { onCue } from './cues.js';
import { scenarioAt, type Scenario } from './scenario.js';

const SENTENCE = 'This is the message of the service, for codes that the tag does not know.';
/** The timer starts at this duration. */
const LIVE_FOR_MS = 754_000;

/** A `Broadcaster` that simulates the scenario of its endpoint. With the endpoint of a server, it does not simulate. */
export class Broadcaster extends RealBroadcaster {
  #run: AbortController | undefined;
  #health: Health = 'good';
  #samples = 0;
  #recording: BroadcasterRecording | undefined;

  override get recording(): BroadcasterRecording {
    return this.#recording ?? super.recording;
  }

  override start(options: BroadcasterOptions): void {
    const scenario = scenarioAt(options.endpoint);
    if (!scenario) return super.start(options);
    this.stop();
    const { signal } = (this.#run = new AbortController());
    runTimeline(signal, () => this.#simulate(scenario, options, signal));
  }

  override stop(): void {
    this.#run?.abort();
    this.#run = undefined;
    super.stop();
  }

  override async replaceTrack(track: MediaStreamTrack): Promise<void> {
    if (!this.#run) await super.replaceTrack(track);
  }

  override async getStats(): Promise<RTCStatsReport | undefined> {
    if (!this.#run) return super.getStats();
    // At first all is well: the tag tells nothing of a slow upload while a browser is still enlarging the picture.
    this.#samples += 1;
    return senderStats(performance.now() / 1000, this.#samples > 2 ? this.#health : 'good');
  }

  async #simulate({ name, detail }: Scenario, { streamName }: BroadcasterOptions, signal: AbortSignal): Promise<void> {
    const broadcast = { streamName, accountId: 'main', since: Date.now() - LIVE_FOR_MS };
    const begin = (): void => this.move({ type: 'connected', broadcast, viewers: 1_284 });
    const error = new UnreachableError('This error is simulated');
    const lost = (): void => this.move({ type: 'lost', error, attempt: 1, retryInMs: 0 });
    const refuse = (reason: string): void => this.move({ type: 'gave-up', error: endedError(reason, SENTENCE) });
    onCue('begin', signal, begin);
    onCue('mend', signal, begin);
    onCue('break', signal, lost);
    onCue('record', signal, () => {
      this.#recording = { name: 'on', fault: undefined, canRewind: true };
      this.dispatchEvent(new Event('recordingchange'));
    });
    onCue('refuse', signal, () => refuse('stopped_by_owner'));
    this.move({ type: 'start' });
    if (name === 'starting') return;
    await response(signal);
    if (name === 'rejected') return refuse(detail);
    if (name === 'failed')
      return this.move({ type: 'gave-up', error: new StreamError(detail as StreamErrorCode, SENTENCE) });
    if (name === 'reconnecting') return lost();
    this.#health = (detail || 'good') as Health;
    begin();
  }
}
