import type { LayerChoice, VideoLayer } from '../../client/viewer/layers.js';
import type { ViewerPhase } from '../../client/viewer/viewer-phase.js';
import type { Viewer, ViewerOptions } from '../../client/viewer/viewer.js';
import { LazyClass, LazyRunner } from '../lazy-runner.js';

const code = new LazyClass<Viewer>(async () => (await import('../runners.js')).Viewer);

/**
 * For files that hold the code of the client anyway: a viewer then begins before its tag is drawn, and the browser makes
 * the offer while it draws.
 */
export function provideViewer(viewer: typeof Viewer): void {
  code.loaded = viewer;
}

/** A `Viewer` whose code is fetched when there is something to watch. */
export class LazyViewer extends LazyRunner<ViewerOptions, ViewerPhase, Viewer> {
  #layer: LayerChoice | 'auto' = 'auto';

  constructor() {
    super(code, { name: 'authorizing' }, ['phasechange', 'layerschange']);
  }

  get layers(): readonly VideoLayer[] {
    return this.runner?.layers ?? [];
  }

  /** Holds for this run and those to come. */
  async select(layer: LayerChoice | 'auto'): Promise<void> {
    this.#layer = layer;
    await this.runner?.select(layer);
  }

  protected override complete(options: ViewerOptions): ViewerOptions {
    return { ...options, layer: this.#layer === 'auto' ? undefined : this.#layer };
  }
}
