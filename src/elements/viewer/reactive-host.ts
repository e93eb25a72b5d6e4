import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** A server that renders pages has none. */
const Element = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * The little of a `LitElement` that the player needs: controllers, and one update for all that changed at once. Its
 * DOM is made once and stays, so there is nothing for templates to do; see docs/decisions/viewer-without-templates.md.
 */
export abstract class ReactiveHost extends Element implements ReactiveControllerHost {
  readonly #controllers = new Set<ReactiveController>();
  #update: Promise<boolean> | undefined;

  /** Resolves when what changed is shown. */
  get updateComplete(): Promise<boolean> {
    return this.#update ?? Promise.resolve(true);
  }

  addController(controller: ReactiveController): void {
    this.#controllers.add(controller);
  }

  removeController(controller: ReactiveController): void {
    this.#controllers.delete(controller);
  }

  requestUpdate(): void {
    this.#update ??= Promise.resolve().then(() => {
      this.#update = undefined;
      this.#each('hostUpdate');
      this.update();
      this.#each('hostUpdated');
      // What asked again meanwhile is waited for, too.
      return this.updateComplete;
    });
  }

  connectedCallback(): void {
    this.#each('hostConnected');
    this.requestUpdate();
  }

  disconnectedCallback(): void {
    this.#each('hostDisconnected');
  }

  /** Shows what is true now. */
  protected abstract update(): void;

  #each(step: keyof ReactiveController): void {
    for (const controller of this.#controllers) controller[step]?.();
  }
}
