import { html, nothing, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit';

/** A sentence for the person. With a link where the next step is on another page. */
export type Told = string | TemplateResult;

type ChangeState =
  | { readonly name: 'none' }
  | { readonly name: 'under-way' }
  | { readonly name: 'failed'; readonly fault: string }
  | { readonly name: 'done'; readonly told: Told };

/** The changes that a person makes on a page: whether one is under way, and how the last one ended. */
export class PageChanges implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #faultOf: (error: unknown) => string;
  #state: ChangeState = { name: 'none' };
  #asker: Element | null | undefined;

  /** @param faultOf what the person is told about a call that failed */
  constructor(host: ReactiveControllerHost, faultOf: (error: unknown) => string) {
    this.#host = host;
    this.#faultOf = faultOf;
    host.addController(this);
  }

  hostConnected(): void {}

  get isBusy(): boolean {
    return this.#state.name === 'under-way';
  }

  /** What had the focus when the last change began. It loses the focus if it is disabled while the change is under way. */
  get asker(): Element | null | undefined {
    return this.#asker;
  }

  /** Why the last change failed. Empty: it did not. */
  get fault(): string {
    return this.#state.name === 'failed' ? this.#state.fault : '';
  }

  /** Makes a change. @param act resolves with what the person is told. Nothing: the page shows the outcome itself */
  attempt(act: () => Promise<Told | void>): void {
    this.#asker = globalThis.document?.activeElement;
    this.#set({ name: 'under-way' });
    void act().then(
      (told) => this.#set(told ? { name: 'done', told } : { name: 'none' }),
      (error: unknown) => this.#set({ name: 'failed', fault: this.#faultOf(error) }),
    );
  }

  /** Tells of a change that another part of the page has made. */
  tell(told: Told): void {
    this.#set({ name: 'done', told });
  }

  /** Refuses a change before the server is asked. */
  refuse(fault: string): void {
    this.#set({ name: 'failed', fault });
  }

  /** The outcome of the last change is not shown any more. */
  forget(): void {
    if (!this.isBusy) this.#set({ name: 'none' });
  }

  /** What the last change has done, for the person and for screen readers. */
  status(): TemplateResult {
    const told = this.#state.name === 'done' ? this.#state.told : '';
    return html`<p role="status" class=${told ? 'card is-on' : 'visually-hidden'}>${told}</p>`;
  }

  /** Why the last change failed. @param look `card`: it stands by itself on the page */
  alert(look: 'card' | '' = ''): TemplateResult | typeof nothing {
    const { fault } = this;
    return fault ? html`<p class="${look} error" role="alert">${fault}</p>` : nothing;
  }

  #set(state: ChangeState): void {
    this.#state = state;
    this.#host.requestUpdate();
  }
}
