import { UnreachableError } from '../../client/errors.js';
import type { LayerChoice, VideoLayer } from '../../client/layers.js';
import type { ViewerPhase } from '../../client/viewer-phase.js';
import type { Viewer, ViewerOptions } from '../../client/viewer.js';
import type { Runner } from '../run-controller.js';

/** Once it is there. */
let loaded: typeof Viewer | undefined;

/**
 * For files that hold the code of the client anyway: a viewer then begins before its tag is drawn, and the browser makes
 * the offer while it draws.
 */
export function holdViewer(viewer: typeof Viewer): void {
  loaded = viewer;
}

/**
 * A `Viewer` whose code is fetched when there is something to watch: a page shows its tag before it has read any of
 * what WebRTC needs. It repeats the events of the one it stands for.
 */
export class LazyViewer extends EventTarget implements Runner<ViewerOptions, ViewerPhase> {
  #viewer: Viewer | undefined;
  /** Holds until there is a viewer. */
  #phase: ViewerPhase = { name: 'idle' };
  #options: ViewerOptions | undefined;
  #layer: LayerChoice | 'auto' = 'auto';

  get phase(): ViewerPhase {
    return this.#viewer?.phase ?? this.#phase;
  }

  get layers(): readonly VideoLayer[] {
    return this.#viewer?.layers ?? [];
  }

  start(options: ViewerOptions): void {
    this.#options = options;
    if (loaded) return this.#run(loaded, options);
    this.#become({ name: 'authorizing' });
    import('../../client/viewer.js').then(
      ({ Viewer }) => this.#options === options && this.#run((loaded = Viewer), options),
      (cause: unknown) =>
        this.#options === options &&
        this.#become({ name: 'failed', error: new UnreachableError('The player did not load', 'unreachable', cause) }),
    );
  }

  stop(): void {
    this.#options = undefined;
    if (this.#viewer) this.#viewer.stop();
    else if (this.#phase.name !== 'idle') this.#become({ name: 'idle' });
  }

  /** Of the session's connection; undefined: there is none. */
  getStats(): Promise<RTCStatsReport | undefined> {
    return this.#viewer?.getStats() ?? Promise.resolve(undefined);
  }

  /** Holds for this run and those to come. */
  async select(layer: LayerChoice | 'auto'): Promise<void> {
    this.#layer = layer;
    await this.#viewer?.select(layer);
  }

  #run(Loaded: typeof Viewer, options: ViewerOptions): void {
    this.#viewer ??= this.#heard(new Loaded());
    this.#viewer.start({ ...options, layer: this.#layer === 'auto' ? undefined : this.#layer });
  }

  #heard(viewer: Viewer): Viewer {
    for (const type of ['phasechange', 'layerschange'])
      viewer.addEventListener(type, () => this.dispatchEvent(new Event(type)));
    return viewer;
  }

  #become(phase: ViewerPhase): void {
    this.#phase = phase;
    this.dispatchEvent(new Event('phasechange'));
  }
}
