import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { rememberLanguage } from '../chosen-language.js';
import { languageChoice } from '../language-choice.js';
import { setPageLanguage } from '../visitor-language.js';
import { ManagementClient } from '../../management/management-client.js';
import { forgetForm } from './kept-form.js';
import { loginForm } from './login-form.js';
import { LoginState, type LoginView } from './login-state.js';
import type { DashboardMessages } from './messages/dashboard-messages.js';
import { en } from './messages/en.js';
import { dashboardMessages } from './messages/translations.js';
import { SESSION_CHANGED, SESSION_ENDED } from './page-view.js';
import type { PageContext } from './page-context.js';
import { commonSearch } from './page-query.js';
import { usePasskey } from './passkey.js';
import { loadPage } from './pages.js';
import { groupsFor, othersWithPage, pageAt, pagesFor, pathOf, type PageName } from './routes.js';

/** The page that is shown. A page that could not be loaded can be tried again. */
type Shown =
  | { readonly name: 'loading' }
  | { readonly name: 'not-found' }
  | { readonly name: 'failed' }
  | { readonly name: 'page'; readonly content: (context: PageContext) => TemplateResult };

/** The dashboard: the login, the navigation, and the page at the present path. The styles are those of the document. */
export class StreamDashboard extends LitElement {
  @property({ attribute: false }) messages: DashboardMessages = en;
  /** BCP 47 tag for dates and numbers. */
  @property({ attribute: false }) language = 'en';
  @state() private login: LoginView = { name: 'loading' };
  /** Whether a login is under way. */
  @state() private isBusy = false;
  @state() private current: PageName | undefined;
  /** Only phones fold the navigation. */
  @state() private isMenuOpen = false;
  @state() private shown: Shown = { name: 'loading' };

  readonly #client = new ManagementClient({ endpoint: location.origin });
  readonly #login = new LoginState(this.#client, (view) => {
    this.login = view;
    if (view.name === 'logged-in') this.#leaveHome(view.permissions);
  });
  #focusHeading = false;

  override connectedCallback(): void {
    super.connectedCallback();
    const code = takeCode();
    window.addEventListener('popstate', this.#turn);
    window.addEventListener('hashchange', this.#enterByLink);
    this.addEventListener(SESSION_ENDED, () => this.#login.end());
    this.addEventListener(SESSION_CHANGED, () => void this.#login.refresh());
    void this.#turn();
    void this.#login.enter(code);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('popstate', this.#turn);
    window.removeEventListener('hashchange', this.#enterByLink);
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    switch (this.login.name) {
      case 'loading':
        return html`<p class="notice soft" role="status">${this.messages.loading}</p>`;
      case 'logged-out':
        return loginForm(
          this.login,
          languageChoice(this.language, this.messages.language, this.#choose),
          {
            isBusy: this.isBusy,
            onPasskey: () => this.#enterBy(this.#login.enterByPasskey(usePasskey)),
            onPassword: (fields) => this.#enterBy(this.#login.enterByPassword(fields)),
            onContinue: () => void this.#login.enter(''),
          },
          this.messages,
        );
      case 'failed':
        return html`
          <main class="card notice">
            <h1>${this.messages.notLoaded}</h1>
            <p role="alert">${this.login.message || this.messages.unexpected}</p>
            <button @click=${() => this.#login.enter('')}>${this.messages.tryAgain}</button>
          </main>
        `;
      case 'logged-in':
        return this.#frame(this.login);
    }
  }

  #frame({
    accountId,
    memberName,
    permissions,
    rtmp,
    countries,
  }: Extract<LoginView, { name: 'logged-in' }>): TemplateResult {
    const { messages } = this;
    return html`
      <a class="skip" href="#content" @click=${this.#skip}>${messages.skip}</a>
      <header>
        <p class="brand">Streamgate</p>
        <p class="soft account">
          ${memberName === null ? accountId : html`<bdi>${accountId}</bdi> · <bdi>${memberName}</bdi>`}
        </p>
        ${languageChoice(this.language, messages.language, this.#choose)}
        <button @click=${this.#leave}>${messages.logOut}</button>
      </header>
      ${this.#navigation(permissions)}
      <main id="content">${this.#content({ accountId, memberName, permissions, rtmp, countries })}</main>
    `;
  }

  /** On a phone behind a button that names the present page. */
  #navigation(permissions: readonly string[]): TemplateResult {
    const { messages, current } = this;
    return html`
      <button
        class="menu"
        aria-expanded=${this.isMenuOpen}
        aria-controls="navigation"
        @click=${() => (this.isMenuOpen = !this.isMenuOpen)}
      >
        <span aria-hidden="true">☰</span> ${current ? messages.pages[current] : messages.page}
      </button>
      <nav class="main ${this.isMenuOpen ? 'is-open' : ''}" id="navigation" aria-label=${messages.page}>
        ${groupsFor(permissions).map(
          ([group, names]) => html`
            <div role="group" aria-labelledby="pages-${group}">
              <p id="pages-${group}">${messages.groups[group]}</p>
              ${names.map(
                (name) => html`
                  <a
                    href=${pathOf(name) + commonSearch(location.search)}
                    aria-current=${name === current ? 'page' : nothing}
                    @click=${this.#follow}
                    >${messages.pages[name]}</a
                  >
                `,
              )}
            </div>
          `,
        )}
      </nav>
    `;
  }

  #content(
    session: Pick<PageContext, 'accountId' | 'memberName' | 'permissions' | 'rtmp' | 'countries'>,
  ): TemplateResult {
    const { messages, language, shown, current } = this;
    const others = current && othersWithPage(current, session.permissions);
    if (others) {
      return html`
        <div>
          <h1 tabindex="-1">${messages.pages[current]}</h1>
          <p class="card">${others === 'owners' ? messages.onlyOwners : messages.onlyManagers}</p>
        </div>
      `;
    }
    switch (shown.name) {
      case 'loading':
        return html`<p class="soft" role="status">${messages.loading}</p>`;
      case 'not-found':
        return html`
          <div>
            <h1 tabindex="-1">${messages.pageNotFound}</h1>
            <p><a href=${pathOf('home') + commonSearch(location.search)}>${messages.pages.home}</a></p>
          </div>
        `;
      case 'failed':
        return html`
          <div class="card">
            <p role="alert">${messages.pageNotLoaded}</p>
            <div class="actions"><button @click=${() => location.reload()}>${messages.tryAgain}</button></div>
          </div>
        `;
      case 'page':
        return shown.content({ client: this.#client, common: messages, language, ...session });
    }
  }

  protected override updated(): void {
    this.#setTitle();
    if (!this.#focusHeading || this.shown.name === 'loading') return;
    this.#focusHeading = false;
    // After the page has rendered its heading.
    void Promise.resolve().then(() => this.renderRoot.querySelector<HTMLElement>('main h1')?.focus());
  }

  /** Follows a link of the navigation without loading the document again. */
  readonly #follow = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    history.pushState(null, '', (event.currentTarget as HTMLAnchorElement).href);
    this.isMenuOpen = false;
    this.#focusHeading = true;
    // The page may be the present one, in another view.
    this.requestUpdate();
    window.dispatchEvent(new PopStateEvent('popstate'));
  };

  /** The address stays as it is. */
  readonly #skip = (event: MouseEvent): void => {
    event.preventDefault();
    this.renderRoot.querySelector<HTMLElement>('main h1')?.focus();
  };

  /** A login link was opened in this tab at the same path, which does not load the document again. */
  readonly #enterByLink = (): void => {
    const code = takeCode();
    if (code) void this.#login.enter(code);
  };

  #enterBy(login: Promise<void>): void {
    this.isBusy = true;
    void login.finally(() => (this.isBusy = false));
  }

  readonly #leave = (): void => {
    forgetForm();
    void this.#login.leave();
  };

  /** Shows the first page that the person may see, if it is not the one at the address of the dashboard. */
  #leaveHome(permissions: readonly string[]): void {
    const [first] = pagesFor(permissions);
    if (this.current !== 'home' || first === undefined || first === 'home') return;
    history.replaceState(null, '', pathOf(first) + commonSearch(location.search));
    void this.#turn();
  }

  /** Shows the page at the present path. A page that is shown already follows the rest of the address itself. */
  readonly #turn = async (): Promise<void> => {
    const name = pageAt(location.pathname);
    if (name && name === this.current && this.shown.name === 'page') return;
    this.current = name;
    if (!name) {
      this.shown = { name: 'not-found' };
      return;
    }
    this.shown = { name: 'loading' };
    const { language } = this;
    const shown = await loadPage[name](language).then(
      (content): Shown => ({ name: 'page', content }),
      (): Shown => ({ name: 'failed' }),
    );
    // Somebody may have turned to another page meanwhile, or chosen another language, which loads the page itself.
    if (this.current === name && this.language === language) this.shown = shown;
  };

  #setTitle(): void {
    const { pages, pageNotFound, logIn } = this.messages;
    const page = this.current ? pages[this.current] : pageNotFound;
    document.title = `${this.login.name === 'logged-out' ? logIn : page} · Streamgate`;
  }

  /** Shows the same page in another language. Its elements stay, with what somebody has typed: only the texts change. */
  readonly #choose = async (language: string): Promise<boolean> => {
    const { current } = this;
    try {
      const [messages, content] = await Promise.all([
        dashboardMessages(language),
        current && loadPage[current](language),
      ]);
      Object.assign(this, { messages, language });
      if (this.current === current && content) this.shown = { name: 'page', content };
      else void this.#turn();
    } catch {
      return false;
    }
    setPageLanguage(language);
    rememberLanguage(language);
    return true;
  };
}

/** The code of a login link. It must not stay in the address bar or the history. Empty: there is none. */
function takeCode(): string {
  const code = new URLSearchParams(location.hash.slice(1)).get('code') ?? '';
  if (code) history.replaceState(null, '', location.pathname + location.search);
  return code;
}

customElements.define('stream-dashboard', StreamDashboard);

declare global {
  interface HTMLElementTagNameMap {
    'stream-dashboard': StreamDashboard;
  }
}
