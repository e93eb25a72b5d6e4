import type { BroadcasterPhase } from '../../../client/broadcaster/broadcaster-phase.js';
import type { Broadcaster, BroadcasterOptions } from '../../../client/broadcaster/broadcaster.js';
import { NOT_RECORDED, type BroadcasterRecording } from '../../../client/broadcaster/broadcaster-recording.js';
import { LazyClass, LazyRunner } from '../../lazy-runner.js';

const code = new LazyClass<Broadcaster>(async () => (await import('../../runners.js')).Broadcaster);

/** Sets the class in bundles that contain the client, so that it is not loaded. */
export function provideBroadcaster(broadcaster: typeof Broadcaster): void {
  code.loaded = broadcaster;
}

/** A `Broadcaster` whose code is loaded after the first render, or at the start if that is earlier. */
export class LazyBroadcaster extends LazyRunner<BroadcasterOptions, BroadcasterPhase, Broadcaster> {
  constructor() {
    super(code, { name: 'starting' }, ['phasechange', 'recordingchange']);
  }

  /** As `recording` of `Broadcaster`. */
  get recording(): BroadcasterRecording {
    return this.runner?.recording ?? NOT_RECORDED;
  }

  /** As `serverOverloaded` of `Broadcaster`. */
  get serverOverloaded(): boolean {
    return this.runner?.serverOverloaded ?? false;
  }

  /** As `record` and `unrecord` of `Broadcaster`, after its code is loaded. */
  async switchRecording(isOn: boolean): Promise<void> {
    if (this.phase.name !== 'idle') await code.load();
    await this.runner?.[isOn ? 'record' : 'unrecord']();
  }

  /** Ends the session because the page unloads, and saves the session key. */
  leave(): void {
    if (this.runner) this.runner.leave();
    else this.stop();
  }

  /** As `replaceTrack` of `Broadcaster`, after its code is loaded. */
  async replaceTrack(track: MediaStreamTrack): Promise<void> {
    await code.load();
    await this.runner?.replaceTrack(track);
  }
}
