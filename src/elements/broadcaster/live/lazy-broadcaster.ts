import type { BroadcasterPhase } from '../../../client/broadcaster/broadcaster-phase.js';
import type { Broadcaster, BroadcasterOptions } from '../../../client/broadcaster/broadcaster.js';
import { LazyClass, LazyRunner } from '../../lazy-runner.js';

const code = new LazyClass<Broadcaster>(async () => (await import('../../runners.js')).Broadcaster);

/** For bundles that contain the client in any case. */
export function provideBroadcaster(broadcaster: typeof Broadcaster): void {
  code.loaded = broadcaster;
}

/** A `Broadcaster` whose code is loaded after the first render, or at the latest when it starts. */
export class LazyBroadcaster extends LazyRunner<BroadcasterOptions, BroadcasterPhase, Broadcaster> {
  constructor() {
    super(code, { name: 'starting' }, ['phasechange']);
  }

  /** Ends the session because the page goes away, and keeps the resume key. */
  leave(): void {
    if (this.runner) this.runner.leave();
    else this.stop();
  }

  /** As of a `Broadcaster`, once its code is loaded. */
  async replaceTrack(track: MediaStreamTrack): Promise<void> {
    await code.load();
    await this.runner?.replaceTrack(track);
  }
}
