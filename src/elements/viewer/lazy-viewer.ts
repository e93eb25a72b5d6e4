import type { LayerChoice, VideoLayer } from '../../client/viewer/layers.js';
import type { StreamSource } from '../../client/viewer/sources.js';
import type { ViewerPhase } from '../../client/viewer/viewer-phase.js';
import type { Viewer, ViewerOptions } from '../../client/viewer/viewer.js';
import { LazyClass, LazyRunner } from '../lazy-runner.js';

const lazyClass = new LazyClass<Viewer>(async () => (await import('../runners.js')).Viewer);

/**
 * Gives the tags the class at once, in bundles that contain the client anyway. The viewer then starts before the tag is
 * drawn, and the browser creates the offer meanwhile.
 */
export function provideViewer(viewer: typeof Viewer): void {
  lazyClass.loaded = viewer;
}

/** A `Viewer` whose code is loaded when there is a stream to watch. */
export class LazyViewer extends LazyRunner<ViewerOptions, ViewerPhase, Viewer> {
  #layer: LayerChoice | 'auto' = 'auto';

  constructor() {
    super(lazyClass, { name: 'authorizing' }, ['phasechange', 'layerschange', 'sourceschange']);
  }

  get layers(): readonly VideoLayer[] {
    return this.runner?.layers ?? [];
  }

  get sources(): readonly StreamSource[] {
    return this.runner?.sources ?? [];
  }

  get captureLatency(): number | undefined {
    return this.runner?.captureLatency;
  }

  /** Selects a layer for this run and all later ones. */
  async select(layer: LayerChoice | 'auto'): Promise<void> {
    this.#layer = layer;
    await this.runner?.select(layer);
  }

  async command(name: string, data: object): Promise<unknown> {
    return this.runner?.command(name, data);
  }

  protected override complete(options: ViewerOptions): ViewerOptions {
    return { ...options, layer: this.#layer === 'auto' ? undefined : this.#layer };
  }
}
