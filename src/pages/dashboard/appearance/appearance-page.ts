import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { themeColor, type ThemeBody } from '../../../wire/management/theme.js';
import { accentFault } from '../../../wire/theme-palette.js';
import { DashboardPage } from '../dashboard-page.js';
import { AppearanceState, changeOf, draftOf, type AppearanceContent, type ThemeDraft } from './appearance-state.js';
import { logoOf, UnreadableImageError } from './logo-file.js';
import type { AppearanceMessages } from './messages/appearance-messages.js';
import { themePreview } from './theme-preview.js';

type ColorField = 'accent' | 'background';

/** What a colour field of the browser shows for the colour of the product. */
const PRODUCT_COLORS: Readonly<Record<ColorField, string>> = { accent: '#e5484d', background: '#0b0c0f' };

/** The name, the colours and the logo of the hosted pages. */
export class AppearancePage extends DashboardPage<AppearanceMessages, AppearanceContent> {
  /** Undefined: nothing was entered since the theme was read or saved. */
  @state() private draft: ThemeDraft | undefined;
  #state!: AppearanceState;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#state = new AppearanceState(this.client, (view) => this.show(view));
    void this.#state.load();
  }

  protected override render(): TemplateResult {
    const { messages } = this;
    return html`
      <h1 tabindex="-1">${messages.appearance}</h1>
      <p class="soft">${messages.purpose}</p>
      ${this.outcome()}
      ${this.whenReady(
        ({ theme }) => this.#content(theme),
        () => void this.#state.load(),
      )}
    `;
  }

  #content(theme: ThemeBody): TemplateResult {
    const { messages } = this;
    const draft = this.draft ?? draftOf(theme);
    return html`
      <section class="card" aria-label=${messages.appearance}>
        <form class="fields" novalidate @submit=${(event: SubmitEvent) => this.#save(event, draft)}>
          <div class="field">
            <label
              >${messages.name}
              <input
                name="name"
                maxlength="60"
                autocomplete="off"
                dir="auto"
                .value=${draft.name}
                aria-describedby="hint-name"
                @input=${({ target }: Event) => this.#enter(draft, { name: (target as HTMLInputElement).value })}
              />
            </label>
            <p class="soft hint" id="hint-name">${messages.nameHint}</p>
          </div>
          ${this.#color('accent', draft)} ${this.#color('background', draft)}
          <div class="actions">
            <button class="primary" ?disabled=${this.changes.isBusy || this.#faultOf(draft) !== undefined}>
              ${messages.save}
            </button>
            <button type="button" class="danger" ?disabled=${this.changes.isBusy} @click=${() => this.#reset()}>
              ${messages.reset}
            </button>
          </div>
        </form>
        ${themePreview(draft, theme.logo?.path, messages)}
      </section>
      <section class="card" aria-labelledby="logo">
        <h2 id="logo">${messages.logo}</h2>
        <p class="soft" id="hint-logo">${messages.logoHint}</p>
        ${
          theme.logo
            ? html`<p class="logo-shown"><img src=${theme.logo.path} alt=${messages.logo} /></p>`
            : html`<p>${messages.noLogo}</p>`
        }
        <div class="actions">
          <label class="button">
            ${theme.logo ? messages.replaceLogo : messages.addLogo}
            <input
              type="file"
              class="visually-hidden"
              accept="image/png,image/jpeg,image/webp"
              aria-describedby="hint-logo"
              ?disabled=${this.changes.isBusy}
              @change=${this.#upload}
            />
          </label>
          ${
            theme.logo
              ? html`<button class="danger" ?disabled=${this.changes.isBusy} @click=${() => this.#removeLogo()}>
                  ${messages.removeLogo}
                </button>`
              : nothing
          }
        </div>
      </section>
    `;
  }

  #color(field: ColorField, draft: ThemeDraft): TemplateResult {
    const { messages } = this;
    const enter = ({ target }: Event): void => this.#enter(draft, { [field]: (target as HTMLInputElement).value });
    const fault = this.#faultOf(draft, field);
    return html`
      <div class="field">
        <label for=${field}>${messages.colors[field]}</label>
        <div class="color">
          <input
            type="color"
            aria-label=${messages.choose(messages.colors[field])}
            .value=${themeColor.safeParse(draft[field]).success ? draft[field] : PRODUCT_COLORS[field]}
            @input=${enter}
          />
          <input
            id=${field}
            name=${field}
            dir="ltr"
            maxlength="7"
            autocomplete="off"
            spellcheck="false"
            placeholder=${PRODUCT_COLORS[field]}
            .value=${draft[field]}
            aria-invalid=${fault ? 'true' : 'false'}
            aria-describedby="hint-${field} fault-${field}"
            @input=${enter}
          />
        </div>
        <p class="soft hint" id="hint-${field}">${messages.colorHints[field]}</p>
        <p class="error" id="fault-${field}" role="status">${fault ? html`<span>${fault}</span>` : nothing}</p>
      </div>
    `;
  }

  /** What is wrong with a field, or with any of them. */
  #faultOf(draft: ThemeDraft, field?: ColorField): string | undefined {
    if (field === undefined) return this.#faultOf(draft, 'accent') ?? this.#faultOf(draft, 'background');
    const { messages, language } = this;
    const text = draft[field].trim();
    if (text === '') return undefined;
    if (!themeColor.safeParse(text).success) return messages.notAColor;
    const tooPale = field === 'accent' ? accentFault(text) : undefined;
    // Rounded down: 4.4999 must not become 4.5.
    const found = tooPale && Math.floor(tooPale.contrast * 10) / 10;
    return (
      tooPale && messages.tooPale(found!.toLocaleString(language), (4.5).toLocaleString(language), tooPale.nearest)
    );
  }

  #enter(draft: ThemeDraft, change: Partial<ThemeDraft>): void {
    this.changes.forget();
    this.draft = { ...draft, ...change };
  }

  #save(event: SubmitEvent, draft: ThemeDraft): void {
    event.preventDefault();
    this.#change(this.messages.saved, async (state) => {
      await state.save(changeOf(draft));
      this.draft = undefined;
    });
  }

  #reset(): void {
    this.#change(this.messages.wasReset, async (state) => {
      await state.reset();
      this.draft = undefined;
    });
  }

  readonly #upload = (event: Event): void => {
    const input = event.currentTarget as HTMLInputElement;
    const file = input.files?.[0];
    input.value = '';
    if (!file) return;
    this.#change(this.messages.saved, async (state) => {
      const logo = await logoOf(file).catch((error: unknown) => {
        throw error instanceof UnreadableImageError ? new Error(this.messages.unreadableLogo) : error;
      });
      await state.save({ logo });
    });
  };

  #removeLogo(): void {
    this.#change(this.messages.saved, async (state) => void (await state.save({ logo: null })));
  }

  #change(done: string, act: (state: AppearanceState) => Promise<void>): void {
    this.changes.attempt(async () => {
      await act(this.#state);
      return done;
    });
  }
}

customElements.define('appearance-page', AppearancePage);

declare global {
  interface HTMLElementTagNameMap {
    'appearance-page': AppearancePage;
  }
}
