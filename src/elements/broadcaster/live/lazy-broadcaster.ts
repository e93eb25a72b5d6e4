import type { BroadcasterPhase } from '../../../client/broadcaster/broadcaster-phase.js';
import type { Broadcaster, BroadcasterOptions } from '../../../client/broadcaster/broadcaster.js';
import { LazyClass, LazyRunner } from '../../lazy-runner.js';

const code = new LazyClass<Broadcaster>(async () => (await import('../../runners.js')).Broadcaster);

/** For files that hold the code of the client anyway. */
export function provideBroadcaster(broadcaster: typeof Broadcaster): void {
  code.loaded = broadcaster;
}

/** A `Broadcaster` whose code is fetched beside the preview, or when somebody goes live. */
export class LazyBroadcaster extends LazyRunner<BroadcasterOptions, BroadcasterPhase, Broadcaster> {
  constructor() {
    super(code, { name: 'starting' }, ['phasechange']);
  }

  /** Has the code fetched already. Whether that went well shows when it is needed. */
  prepare(): void {
    code.load().catch(() => {});
  }

  /** The page goes away and may come back. */
  leave(): void {
    if (this.runner) this.runner.leave();
    else this.stop();
  }

  /** As of a `Broadcaster`, once that is there. */
  async replaceTrack(track: MediaStreamTrack): Promise<void> {
    await code.load();
    await this.runner?.replaceTrack(track);
  }
}
