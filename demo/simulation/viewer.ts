import { StreamError, UnreachableError, type StreamErrorCode } from '../../src/client/errors.js';
import { endedError } from '../../src/client/connection/signalling.js';
import type { VideoLayer } from '../../src/client/viewer/layers.js';
import { Viewer as ServedViewer, type ViewerOptions } from '../../src/client/viewer/viewer.js';
import { receiverStats } from './stats.js';
import { delay, runTimeline } from './timeline.js';
import { concert } from './scenes.js';
import { onCue } from './cues.js';
import { musicTrack, sceneTrack } from './generated-tracks.js';
import { scenarioAt, type Scenario } from './scenario.js';

const LAYERS: readonly VideoLayer[] = [1080, 720, 360].map((height, index) => ({
  encodingId: String(2 - index),
  width: Math.round((height * 16) / 9),
  height,
  bitrate: 4_200_000 / 2 ** (2 * index),
}));

const SENTENCE = "This is the service's own sentence, for words that the tag does not know.";

/** A viewer to whom everything happens that can happen to one, if its endpoint asks for it; else the one that it is made of. */
export class Viewer extends ServedViewer {
  #life: AbortController | undefined;
  #media: MediaStream | undefined;
  #since = 0;

  override get layers(): readonly VideoLayer[] {
    return this.#life && this.phase.name === 'live' ? LAYERS : super.layers;
  }

  override start(options: ViewerOptions): void {
    const situation = scenarioAt(options.endpoint);
    if (!situation) return super.start(options);
    this.stop();
    const { signal } = (this.#life = new AbortController());
    runTimeline(signal, () => this.#act(situation, signal));
  }

  override stop(): void {
    this.#life?.abort();
    this.#life = undefined;
    for (const track of this.#media?.getTracks() ?? []) track.stop();
    this.#media = undefined;
    super.stop();
  }

  override async getStats(): Promise<RTCStatsReport | undefined> {
    if (!this.#life) return super.getStats();
    const chosen = this.layer === 'auto' ? 720 : (this.layer.maxHeight ?? 720);
    return this.#media && receiverStats((performance.now() - this.#since) / 1000, chosen);
  }

  async #act({ name, detail }: Scenario, signal: AbortSignal): Promise<void> {
    onCue('begin', signal, () => this.#begin(detail));
    onCue('end', signal, () => this.move({ type: 'inactive' }));
    onCue('mend', signal, () => this.#begin(detail));
    onCue('break', signal, () => this.#break(''));
    onCue('refuse', signal, () => this.move({ type: 'gave-up', error: endedError('token_disabled', SENTENCE) }));
    this.move({ type: 'start' });
    if (name === 'authorizing') return;
    await delay(signal);
    if (name === 'rejected') return this.move({ type: 'gave-up', error: endedError(detail, SENTENCE) });
    if (name === 'failed')
      return this.move({ type: 'gave-up', error: new StreamError(detail as StreamErrorCode, SENTENCE) });
    if (name === 'reconnecting') return this.#break(detail);
    this.move({ type: 'admitted' });
    if (name === 'connecting') return;
    await delay(signal);
    if (name === 'live') this.#begin(detail);
    else this.move({ type: 'connected', live: undefined });
  }

  /** @param detail `silent`: there is only a picture */
  #begin(detail: string): void {
    this.#since ||= performance.now();
    this.#media ??= new MediaStream([sceneTrack(concert), ...(detail === 'silent' ? [] : [musicTrack()])]);
    this.move({ type: 'connected', live: { media: this.#media, viewers: 1_284 } });
    this.dispatchEvent(new Event('layerschange'));
  }

  #break(code: string): void {
    const error = new UnreachableError('It is only played', code === 'media_lost' ? code : 'unreachable');
    this.move({ type: 'lost', error, attempt: 1, retryInMs: 0 });
  }
}
