import { html, LitElement, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';

/** Each new picture costs the broadcaster a keyframe. */
export const NEXT_STILL_MS = 10_000;

type StillView =
  | { readonly name: 'loading' }
  /** The stream sends no video, or the server could not be asked. */
  | { readonly name: 'none' }
  | { readonly name: 'picture'; readonly url: string; readonly isVideo: boolean };

/** A picture of a live stream, new every ten seconds while somebody can see it. */
export class StreamStill extends LitElement {
  /** Reads a picture: an image, or a video of one frame. Set once. */
  @property({ attribute: false }) load!: (signal: AbortSignal) => Promise<Blob>;
  /** What the picture shows. */
  @property({ attribute: false }) label = '';
  /** Shown in place of a picture. */
  @property({ attribute: false }) noPicture = '';
  @state() private view: StillView = { name: 'loading' };
  #isOnScreen = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading: AbortController | undefined;
  readonly #visibility = new IntersectionObserver((entries) => this.#seen(entries.at(-1)?.isIntersecting ?? false));

  override connectedCallback(): void {
    super.connectedCallback();
    this.#visibility.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#visibility.disconnect();
    this.#seen(false);
    this.#reading?.abort();
    this.#reading = undefined;
    this.#show({ name: 'loading' });
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    const { view, label } = this;
    switch (view.name) {
      case 'loading':
        return html`<div class="still" aria-busy="true"></div>`;
      case 'none':
        return html`<div class="still soft">${this.noPicture}</div>`;
      case 'picture':
        return view.isVideo
          ? html`<video class="still" role="img" aria-label=${label} muted playsinline .src=${view.url}></video>`
          : html`<img class="still" alt=${label} .src=${view.url} />`;
    }
  }

  #seen(isOnScreen: boolean): void {
    this.#isOnScreen = isOnScreen;
    clearTimeout(this.#timer);
    if (isOnScreen && !this.#reading) void this.#read();
  }

  async #read(): Promise<void> {
    const reading = new AbortController();
    this.#reading = reading;
    if (document.visibilityState === 'visible') {
      const picture = await this.load(reading.signal).catch(() => undefined);
      if (this.#reading !== reading) return;
      this.#show(
        picture
          ? { name: 'picture', url: URL.createObjectURL(picture), isVideo: picture.type.startsWith('video/') }
          : { name: 'none' },
      );
    }
    this.#reading = undefined;
    if (this.#isOnScreen) this.#timer = setTimeout(() => void this.#read(), NEXT_STILL_MS);
  }

  #show(view: StillView): void {
    if (this.view.name === 'picture') URL.revokeObjectURL(this.view.url);
    this.view = view;
  }
}

customElements.define('stream-still', StreamStill);

declare global {
  interface HTMLElementTagNameMap {
    'stream-still': StreamStill;
  }
}
