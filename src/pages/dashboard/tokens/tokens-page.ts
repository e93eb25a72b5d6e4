import { html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { MAX_TOKENS_AT_ONCE } from '../../../wire/management/token-bulk.js';
import { DashboardPage } from '../dashboard-page.js';
import { keptForm } from '../kept-form.js';
import { pageNumber, searchOf } from '../page-query.js';
import type { RefusalsMessages } from '../refusals/messages/refusals-messages.js';
import { tokenNamedBy, type NamedToken } from '../token-path.js';
import { readTokenForm, type TokenForm } from './kept-token.js';
import type { TokensMessages } from './messages/tokens-messages.js';
import { TokenActions } from './token-actions.js';
import { tokenDialog, type TokenDialog } from './token-dialog.js';
import { draftOf, emptyDraft } from './token-draft.js';
import './token-editor.js';
import type { TokenSavedEvent } from './token-editor.js';
import { nameOf } from './token-facts.js';
import { tokenFilters } from './token-filters.js';
import { tokenKinds } from './token-kind.js';
import { tokenList, withMarked } from './token-list.js';
import { tokenFilterOf, tokenQueryOf } from './token-query.js';
import { firstFilter, TokensState, type TokenFilter, type TokenPage } from './tokens-state.js';

/** The tokens of both kinds: what each permits, how it is used, and its end. */
export class TokensPage extends DashboardPage<TokensMessages, TokenPage, TokenDialog> {
  /** The texts of the page of refusals, for explanations. */
  @property({ attribute: false }) refusals!: RefusalsMessages;
  @state() private editing: TokenForm | undefined;
  /** Whether the open form was begun before the page was left, reloaded or logged out. */
  @state() private isContinued = false;
  @state() private filter = firstFilter;
  @state() private selected: ReadonlySet<number> = new Set();
  @state() private opened: ReadonlySet<number> = new Set();
  #state!: TokensState;
  #actions!: TokenActions;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#state = new TokensState(this.client, (view) => this.show(view));
    this.#actions = new TokenActions({
      state: this.#state,
      dialog: this.dialog,
      changes: this.changes,
      texts: () => this.texts,
      onDeselect: (ids) => (this.selected = withMarked(this.selected, ids, false)),
    });
    this.editing = readTokenForm(keptForm(this.context.accountId));
    this.isContinued = this.editing !== undefined;
    const named = takeNamedToken();
    if (named) this.turn(tokenQueryOf({ ...firstFilter, kind: named.kind }), 'replace');
    else this.follow(this.query);
    if (named && !this.editing) this.#edit(named);
  }

  protected override render(): TemplateResult {
    const { messages, editing, texts } = this;
    if (editing) return this.#editor(editing);
    const { accountId, rtmp } = this.context;
    return html`
      <h1 tabindex="-1">${messages.tokens}</h1>
      <p class="soft">${messages.purpose}</p>
      ${this.#kinds()} ${tokenFilters(this.filter, (filter) => this.#select(filter), texts)} ${this.outcome()}
      ${this.whenReady(
        (page) => this.#list(page),
        () => this.follow(this.query),
      )}
      ${this.dialog.render((dialog) =>
        tokenDialog(dialog, {
          actions: this.#actions,
          changes: this.changes,
          texts,
          refusals: this.refusals,
          place: { origin: location.origin, accountId, rtmp },
        }),
      )}
    `;
  }

  #kinds(): TemplateResult {
    const { messages, filter } = this;
    return html`
      <div class="kinds">
        <div role="group" aria-label=${messages.kind}>
          ${tokenKinds.map(
            (kind) => html`
              <button aria-pressed=${kind === filter.kind} @click=${() => this.#select({ ...filter, kind })}>
                ${messages.kinds[kind]}
              </button>
            `,
          )}
        </div>
        ${
          this.view.name === 'no-permission'
            ? nothing
            : html`<div class="actions">
                <button @click=${() => this.#actions.importFile(filter.kind)}>${messages.importFile}</button>
                <button class="primary" @click=${() => this.#create()}>${messages.newToken[filter.kind]}</button>
              </div>`
        }
      </div>
    `;
  }

  #editor(form: TokenForm): TemplateResult {
    return html`
      <token-editor
        .context=${this.context}
        .messages=${this.messages}
        .isContinued=${this.isContinued}
        .form=${form}
        @token-saved=${this.#onSaved}
        @editing-cancelled=${() => this.#closeEditor()}
      ></token-editor>
    `;
  }

  #list(page: TokenPage): TemplateResult {
    const { selected, opened, texts, messages } = this;
    const { kind } = page.filter;
    return tokenList(page, {
      selected,
      opened,
      texts,
      actions: this.#actions,
      isBusy: this.changes.isBusy,
      onSelect: (ids, isSelected) => {
        this.selected = withMarked(this.selected, ids, isSelected, MAX_TOKENS_AT_ONCE);
      },
      onSelectMatching: () => this.#selectMatching(),
      onToggle: (id, isOpen) => (this.opened = withMarked(this.opened, [id], isOpen)),
      onEdit: (id) => this.#edit({ id, kind }),
      onTurn: (turned) => this.turn(tokenQueryOf(this.filter, turned)),
      csvButton: this.csvButton(messages.tokens, `${kind}-tokens.csv`, () => this.#state.csv()),
    });
  }

  protected override follow(query: URLSearchParams): void {
    const filter = tokenFilterOf(query);
    if (!isSameFilter(filter, this.filter)) {
      this.changes.forget();
      this.selected = new Set();
      if (filter.kind !== this.filter.kind) this.opened = new Set();
      this.filter = filter;
    }
    void this.#state.select(this.filter, pageNumber(query));
  }

  /** A search is one step of the way back, and not each letter of it. */
  #select(filter: TokenFilter): void {
    const isTyped = filter.search !== this.filter.search && this.filter.search !== '';
    this.turn(tokenQueryOf(filter), isTyped ? 'replace' : 'push');
  }

  #selectMatching(): void {
    const { filter } = this;
    this.changes.attempt(async () => {
      const ids = await this.#state.matchingIds();
      if (filter === this.filter) this.selected = new Set(ids);
    });
  }

  #create(): void {
    this.dialog.close();
    this.editing = { kind: this.filter.kind, base: undefined, draft: emptyDraft };
  }

  #edit({ id, kind }: NamedToken): void {
    this.changes.attempt(async () => {
      const base = await this.#state.read(id, kind);
      this.dialog.close();
      this.editing = { kind, base, draft: draftOf(base) };
    });
  }

  readonly #onSaved = ({ kind, token, isNew }: TokenSavedEvent): void => {
    void this.#state.load();
    this.#closeEditor();
    if (isNew) this.#actions.use(token, kind);
    else this.changes.tell(this.messages.saved(nameOf(token, this.common)));
  };

  #closeEditor(): void {
    this.editing = undefined;
    this.isContinued = false;
    this.changes.forget();
    this.focusHeading();
  }
}

const isSameFilter = (one: TokenFilter, other: TokenFilter): boolean =>
  searchOf('', tokenQueryOf(one)) === searchOf('', tokenQueryOf(other));

/** The token that the address names. It does not stay there, so that a reload shows the list. */
function takeNamedToken(): NamedToken | undefined {
  const named = tokenNamedBy(location.hash);
  if (named) history.replaceState(null, '', location.pathname + location.search);
  return named;
}

customElements.define('tokens-page', TokensPage);

declare global {
  interface HTMLElementTagNameMap {
    'tokens-page': TokensPage;
  }
}
