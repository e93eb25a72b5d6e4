import { html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { MAX_TOKENS_AT_ONCE, type BulkAction } from '../../../wire/management/token-bulk.js';
import { MAX_IMPORT_BYTES } from '../../../wire/management/token-import.js';
import type { RtmpAddress } from '../../../wire/management/dashboard-session.js';
import type { TokenBody } from '../../../wire/management/token.js';
import { fetchPinnedFile } from '../../pinned-file.js';
import { DashboardPage } from '../dashboard-page.js';
import { keptForm } from '../kept-form.js';
import { pageButtons } from '../page-buttons.js';
import { unreadyContent } from '../page-view.js';
import type { RefusalsMessages } from '../refusals/messages/refusals-messages.js';
import { tokenNamedBy, type NamedToken } from '../token-path.js';
import type { TokensMessages } from './messages/tokens-messages.js';
import { readTokenForm, type TokenForm } from './kept-token.js';
import { importDialog, type TokenImportDraft } from './import-dialog.js';
import { questionDialog, type TokenQuestion } from './question-dialog.js';
import { draftOf, emptyDraft } from './token-draft.js';
import './token-editor.js';
import type { TokenSavedEvent } from './token-editor.js';
import { nameOf, type TokenTexts } from './token-facts.js';
import { tokenFilters } from './token-filters.js';
import { tokenKinds, type TokenKind } from './token-kind.js';
import { tokenRow } from './token-row.js';
import { selectionBar, selectionDialog, selectionResult, type SelectionQuestion } from './token-selection.js';
import { firstFilter, TokensState, type TokenFilter, type TokenPage } from './tokens-state.js';
import { requestOf, trialDialog, type TokenTrial } from './trial-dialog.js';
import { firstStream, useDialog, type TokenUse } from './use-dialog.js';

type Dialog =
  | ({ readonly name: 'use' } & TokenUse)
  | ({ readonly name: 'trial' } & TokenTrial)
  | ({ readonly name: 'question' } & TokenQuestion)
  | ({ readonly name: 'selection' } & SelectionQuestion)
  | ({ readonly name: 'import' } & TokenImportDraft);

/** The tokens of both kinds: what each permits, how it is used, and its end. */
export class TokensPage extends DashboardPage<TokensMessages, TokenPage> {
  @property({ attribute: false }) accountId = '';
  /** Null: the server takes no RTMP. */
  @property({ attribute: false }) rtmp: RtmpAddress | null = null;
  /** The texts of the page of refusals, for explanations. */
  @property({ attribute: false }) refusals!: RefusalsMessages;
  @state() private dialog: Dialog | undefined;
  @state() private editing: TokenForm | undefined;
  /** Whether the open form was begun before the page was left, reloaded or logged out. */
  @state() private isContinued = false;
  @state() private filter = firstFilter;
  /** The ids of the tokens that are selected, on this page of the list and on others. */
  @state() private selected: ReadonlySet<number> = new Set();
  /** The ids of the tokens whose details are open. */
  @state() private opened: ReadonlySet<number> = new Set();
  /** What a change has done, for the person and for screen readers. */
  @state() private done = '';
  #state: TokensState | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#state = new TokensState(this.client, (view) => this.show(view));
    this.editing = readTokenForm(keptForm(this.accountId));
    this.isContinued = this.editing !== undefined;
    const named = takeNamedToken();
    if (named) this.#select({ ...this.filter, kind: named.kind });
    else void this.#state.load();
    if (named && !this.editing) this.#edit(named);
  }

  protected override render(): TemplateResult {
    const { messages, view, editing } = this;
    if (editing) return this.#editor(editing);
    return html`
      <h1 tabindex="-1">${messages.tokens}</h1>
      <p class="soft">${messages.purpose}</p>
      ${this.#kinds()} ${tokenFilters(this.filter, (filter) => this.#select(filter), this.#texts)}
      ${this.fault && !this.dialog ? html`<p class="card error" role="alert">${this.fault}</p>` : nothing}
      <p role="status" class=${this.done ? 'card is-on' : 'visually-hidden'}>${this.done}</p>
      ${view.name === 'ready' ? this.#list(view) : unreadyContent(view, this.common, () => void this.#state?.load())}
      ${
        this.dialog
          ? html`<dialog aria-labelledby="dialog" @close=${() => this.#open(undefined)}>
              ${this.#dialogContent(this.dialog)}
            </dialog>`
          : nothing
      }
    `;
  }

  #kinds(): TemplateResult {
    const { messages } = this;
    return html`
      <div class="kinds">
        <div role="group" aria-label=${messages.kind}>
          ${tokenKinds.map(
            (kind) => html`
              <button aria-pressed=${kind === this.filter.kind} @click=${() => this.#select({ ...this.filter, kind })}>
                ${messages.kinds[kind]}
              </button>
            `,
          )}
        </div>
        ${
          this.view.name === 'no-permission'
            ? nothing
            : html`<div class="actions">
                <button @click=${() => this.#open({ name: 'import', kind: this.filter.kind, step: 'choose' })}>
                  ${messages.importFile}
                </button>
                <button class="primary" @click=${() => this.#create()}>${messages.newToken[this.filter.kind]}</button>
              </div>`
        }
      </div>
    `;
  }

  #editor({ kind, base, draft }: TokenForm): TemplateResult {
    return html`
      <token-editor
        .client=${this.client}
        .messages=${this.messages}
        .common=${this.common}
        .language=${this.language}
        .accountId=${this.accountId}
        .isContinued=${this.isContinued}
        .kind=${kind}
        .base=${base}
        .draft=${draft}
        @token-saved=${this.#onSaved}
        @editing-cancelled=${() => this.#closeEditor()}
      ></token-editor>
    `;
  }

  #list(page: TokenPage): TemplateResult {
    const { messages, common, language } = this;
    const { kind, search, state } = page.filter;
    return html`
      <section class="card" aria-label=${messages.kinds[kind]}>
        ${
          page.tokens.length === 0
            ? html`<p class="soft">${search.trim() || state ? messages.noneFound : messages.none[kind]}</p>`
            : html`${this.#selection(page)}
                <ul>
                  ${repeat(
                    page.tokens,
                    ({ id }) => `${kind} ${id}`,
                    (token) => this.#row(token, kind),
                  )}
                </ul>`
        }
        ${pageButtons(
          page,
          { messages: common, language, labels: { before: messages.previous, after: messages.next } },
          (turned) => void this.#state?.load(turned),
        )}
        ${
          page.tokens.length === 0
            ? nothing
            : html`<div class="actions">
                ${this.csvButton(messages.tokens, `${kind}-tokens.csv`, () => this.#state!.csv())}
              </div>`
        }
      </section>
    `;
  }

  #selection({ tokens, total, filter: { kind } }: TokenPage): TemplateResult {
    return selectionBar(
      { ids: tokens.map(({ id }) => id), total, selected: this.selected },
      {
        isBusy: this.isBusy,
        onSelect: (ids, isSelected) => this.#mark(ids, isSelected),
        onSelectMatching: () =>
          this.attempt(async () => {
            const { filter } = this;
            const ids = await this.#state!.matchingIds();
            if (filter === this.filter) this.selected = new Set(ids);
          }),
        onAction: (action) => void this.#askSelected(action, kind),
      },
      this.#texts,
    );
  }

  #row(token: TokenBody, kind: TokenKind): TemplateResult {
    const { id } = token;
    return tokenRow(
      { token, isSelected: this.selected.has(id), isOpen: this.opened.has(id), isBusy: this.isBusy },
      {
        onSelect: (isSelected) => this.#mark([id], isSelected),
        onToggle: (isOpen) => this.#toggle(id, isOpen),
        onUse: () => this.#use(token, kind),
        onEdit: () => this.#edit({ id, kind }),
        onTrial: () => this.#open({ name: 'trial', token, kind, explanation: undefined }),
        onEnable: () => this.#enable(token, kind),
        onChange: (change) => void this.#ask({ change, token, kind, live: [] }),
      },
      this.#texts,
    );
  }

  #dialogContent(dialog: Dialog): TemplateResult {
    switch (dialog.name) {
      case 'use':
        return useDialog(
          dialog,
          { origin: location.origin, accountId: this.accountId, rtmp: this.rtmp },
          {
            texts: this.#texts,
            onStream: (streamName) => (this.dialog = { ...dialog, streamName: streamName.trim() }),
          },
        );
      case 'trial':
        return trialDialog(
          dialog,
          { fault: this.fault, isBusy: this.isBusy, onSubmit: (event) => this.#try(event, dialog) },
          { ...this.#texts, refusals: this.refusals },
        );
      case 'question':
        return questionDialog(
          dialog,
          { fault: this.fault, isBusy: this.isBusy, onConfirm: () => this.#change(dialog) },
          this.#texts,
        );
      case 'import':
        return importDialog(
          dialog,
          {
            fault: this.fault,
            isBusy: this.isBusy,
            onFile: (file) => this.#checkFile(file, dialog.kind),
            onConfirm: (csv) => this.#import(csv, dialog.kind),
          },
          this.#texts,
        );
      case 'selection':
        return selectionDialog(
          dialog,
          {
            fault: this.fault,
            isBusy: this.isBusy,
            onConfirm: () => this.#changeSelected(dialog.action, dialog.ids, dialog.kind),
          },
          this.#texts,
        );
    }
  }

  get #texts(): TokenTexts {
    return { messages: this.messages, common: this.common, language: this.language };
  }

  #select(filter: TokenFilter): void {
    this.done = '';
    this.fault = '';
    this.selected = new Set();
    if (filter.kind !== this.filter.kind) this.opened = new Set();
    this.filter = filter;
    void this.#state?.select(filter);
  }

  #mark(ids: readonly number[], isSelected: boolean): void {
    const selected = new Set(this.selected);
    for (const id of ids) {
      if (!isSelected) selected.delete(id);
      else if (selected.size < MAX_TOKENS_AT_ONCE) selected.add(id);
    }
    this.selected = selected;
  }

  #toggle(id: number, isOpen: boolean): void {
    if (isOpen === this.opened.has(id)) return;
    const opened = new Set(this.opened);
    if (isOpen) opened.add(id);
    else opened.delete(id);
    this.opened = opened;
  }

  #checkFile(file: File, kind: TokenKind): void {
    const fileName = file.name;
    this.#open({ name: 'import', kind, step: 'checking', fileName });
    const asked = this.dialog;
    this.attempt(async () => {
      try {
        if (file.size > MAX_IMPORT_BYTES) throw new Error(this.messages.fileTooLarge);
        const checked = await this.#state!.checkTable(await file.text(), kind);
        if (this.dialog === asked) this.dialog = { name: 'import', kind, fileName, ...checked };
      } catch (error) {
        if (this.dialog === asked) this.dialog = { name: 'import', kind, step: 'choose' };
        throw error;
      }
    });
  }

  #import(csv: string, kind: TokenKind): void {
    this.attempt(async () => {
      const count = await this.#state!.importTable(csv, kind);
      this.#open(undefined);
      this.done = this.messages.imported(count.toLocaleString(this.language));
    });
  }

  /** Asks before a change that ends sessions. How many it ends is added to the question when it is known. */
  async #askSelected(action: BulkAction, kind: TokenKind): Promise<void> {
    const ids = [...this.selected];
    if (action === 'enable') return this.#changeSelected(action, ids, kind);
    this.#open({ name: 'selection', action, kind, ids, sessions: undefined });
    const asked = this.dialog;
    const sessions = await this.#state!.openSessions(ids, kind);
    if (this.dialog === asked) this.dialog = { name: 'selection', action, kind, ids, sessions };
  }

  #changeSelected(action: BulkAction, ids: readonly number[], kind: TokenKind): void {
    this.attempt(async () => {
      const results = await this.#state!.changeSeveral(action, ids, kind);
      this.#open(undefined);
      this.selected = new Set();
      this.done = selectionResult(action, results, this.#texts);
    });
  }

  #use(token: TokenBody, kind: TokenKind): void {
    this.attempt(async () => {
      const pinned = await fetchPinnedFile(location.origin);
      this.#open({ name: 'use', kind, token, streamName: firstStream(token), pinned });
    });
  }

  #try(event: SubmitEvent, trial: TokenTrial): void {
    event.preventDefault();
    const request = requestOf(new FormData(event.currentTarget as HTMLFormElement), trial);
    const asked = this.dialog;
    this.attempt(async () => {
      const explanation = await this.#state!.explain(request);
      if (this.dialog === asked) this.dialog = { name: 'trial', ...trial, explanation };
    });
  }

  #create(): void {
    this.#open(undefined);
    this.editing = { kind: this.filter.kind, base: undefined, draft: emptyDraft };
  }

  #edit({ id, kind }: NamedToken): void {
    this.attempt(async () => {
      const base = await this.#state!.read(id, kind);
      this.#open(undefined);
      this.editing = { kind, base, draft: draftOf(base) };
    });
  }

  readonly #onSaved = ({ kind, token, isNew }: TokenSavedEvent): void => {
    void this.#state?.load();
    this.#closeEditor();
    if (isNew) return this.#use(token, kind);
    this.done = this.messages.saved(nameOf(token, this.common));
  };

  #closeEditor(): void {
    this.editing = undefined;
    this.isContinued = false;
    this.#open(undefined);
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('h1')?.focus());
  }

  /** Asks before a change. What is live with the token is added to the question when it is known. */
  async #ask(question: TokenQuestion): Promise<void> {
    this.#open({ name: 'question', ...question });
    const asked = this.dialog;
    const { kind, token } = question;
    const known =
      kind === 'publish'
        ? { live: await this.#state!.liveStreams(token) }
        : { viewers: await this.#state!.openSessions([token.id], kind) };
    if (this.dialog === asked) this.dialog = { name: 'question', ...question, ...known };
  }

  #enable(token: TokenBody, kind: TokenKind): void {
    this.attempt(async () => {
      await this.#state!.setActive(token, kind, true);
      this.done = this.messages.enabled(nameOf(token, this.common));
    });
  }

  #change({ change, token, kind }: TokenQuestion): void {
    const state = this.#state!;
    const name = nameOf(token, this.common);
    this.attempt(async () => {
      switch (change) {
        case 'disable':
          await state.setActive(token, kind, false);
          this.#open(undefined);
          this.done = this.messages.disabled(name);
          return;
        case 'delete':
          await state.remove(token, kind);
          this.#mark([token.id], false);
          this.#open(undefined);
          this.done = this.messages.deleted(name);
          return;
        case 'refresh': {
          const fresh = await state.refresh(token, kind);
          const pinned = await fetchPinnedFile(location.origin);
          this.#open({ name: 'use', kind, token: fresh, streamName: firstStream(fresh), pinned });
        }
      }
    });
  }

  #open(dialog: Dialog | undefined): void {
    this.fault = '';
    this.done = '';
    this.dialog = dialog;
  }
}

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
