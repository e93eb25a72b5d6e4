import { StreamError, UnreachableError, type StreamErrorCode } from '../../src/client/errors.js';
import { endedError } from '../../src/client/connection/signalling.js';
import type { VideoLayer } from '../../src/client/viewer/layers.js';
import { Viewer as RealViewer, type ViewerOptions } from '../../src/client/viewer/viewer.js';
import type { LiveMedia } from '../../src/client/viewer/viewer-phase.js';
import { receiverStats } from './stats.js';
import { response, runTimeline } from './timeline.js';
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

const SENTENCE = 'This is the message of the service, for codes that the tag does not know.';

/** A `Viewer` that simulates the scenario of its endpoint. With the endpoint of a server, it does not simulate. */
export class Viewer extends RealViewer {
  #run: AbortController | undefined;
  #media: MediaStream | undefined;
  #since = 0;
  #audioOnly = false;

  override get layers(): readonly VideoLayer[] {
    return this.#run && this.phase.name === 'live' && !this.#audioOnly ? LAYERS : super.layers;
  }

  override start(options: ViewerOptions): void {
    const scenario = scenarioAt(options.endpoint);
    if (!scenario) return super.start(options);
    this.stop();
    const { signal } = (this.#run = new AbortController());
    this.#audioOnly = Boolean(options.audioOnly);
    runTimeline(signal, () => this.#simulate(scenario, signal));
  }

  override stop(): void {
    this.#run?.abort();
    this.#run = undefined;
    for (const track of this.#media?.getTracks() ?? []) track.stop();
    this.#media = undefined;
    super.stop();
  }

  override async getStats(): Promise<RTCStatsReport | undefined> {
    if (!this.#run) return super.getStats();
    const chosen = this.layer === 'auto' ? 720 : (this.layer.maxHeight ?? 720);
    return this.#media && receiverStats((performance.now() - this.#since) / 1000, chosen);
  }

  async #simulate({ name, detail }: Scenario, signal: AbortSignal): Promise<void> {
    onCue('begin', signal, () => this.#begin(detail));
    onCue('end', signal, () => this.move({ type: 'inactive' }));
    onCue('mend', signal, () => this.#begin(detail));
    onCue('stop', signal, () => this.move({ type: 'inactive', declared: true }));
    onCue('slow', signal, () => this.#begin(detail, { videoPaused: true }));
    onCue('interrupt', signal, () => this.#begin(detail, { interrupted: true }));
    onCue('break', signal, () => this.#break(''));
    onCue('refuse', signal, () => this.move({ type: 'gave-up', error: endedError('token_disabled', SENTENCE) }));
    this.move({ type: 'start' });
    if (name === 'authorizing') return;
    await response(signal);
    if (name === 'rejected') return this.move({ type: 'gave-up', error: endedError(detail, SENTENCE) });
    if (name === 'failed')
      return this.move({ type: 'gave-up', error: new StreamError(detail as StreamErrorCode, SENTENCE) });
    if (name === 'reconnecting') return this.#break(detail);
    this.move({ type: 'admitted' });
    if (name === 'connecting') return;
    await response(signal);
    if (name === 'live') this.#begin(detail);
    else this.move({ type: 'connected', live: undefined });
  }

  /** @param detail `silent`: the stream has no sound */
  #begin(detail: string, trouble: Pick<LiveMedia, 'videoPaused' | 'interrupted'> = {}): void {
    this.#since ||= performance.now();
    this.#media ??= new MediaStream([
      ...(this.#audioOnly ? [] : [sceneTrack(concert)]),
      ...(detail === 'silent' ? [] : [musicTrack()]),
    ]);
    this.move({
      type: 'connected',
      live: { media: this.#media, viewers: 1_284, ...trouble },
    });
    this.dispatchEvent(new Event('layerschange'));
  }

  #break(code: string): void {
    const error = new UnreachableError('This error is simulated', code === 'media_lost' ? code : 'unreachable');
    this.move({ type: 'lost', error, attempt: 1, retryInMs: 0 });
  }
}
