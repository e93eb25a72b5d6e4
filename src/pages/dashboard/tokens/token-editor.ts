import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { ManagementError } from '../../../management/management-error.js';
import type { TaggedToken } from '../../../management/token-calls.js';
import { DashboardPage } from '../dashboard-page.js';
import { confirmation } from '../dialog-contents.js';
import { listText, localTime } from '../formatting.js';
import { forgetForm, keepForm } from '../kept-form.js';
import { schemaFaults, serverFaults, type FieldFaults } from './draft-faults.js';
import { mergeDraft, withTheirs } from './draft-merge.js';
import { editorFields, fieldName, type EditedToken } from './editor-fields.js';
import { isFoldFaulty, isFoldUsed } from './folded-fields.js';
import { withoutValue, type TokenForm } from './kept-token.js';
import type { TokensMessages } from './messages/tokens-messages.js';
import {
  changeOf,
  creationOf,
  emptyDraft,
  tokenFields,
  type TokenDraft,
  type TokenField,
  type TokenFieldsBody,
} from './token-draft.js';
import { nameOf } from './token-facts.js';
import type { TokenKind } from './token-kind.js';

const DAY_MS = 86_400_000;

/** A token was created or changed. */
export class TokenSavedEvent extends Event {
  constructor(
    readonly kind: TokenKind,
    readonly token: TaggedToken,
    readonly isNew: boolean,
  ) {
    super('token-saved');
  }
}

/**
 * The form that creates a token or changes one. Fires `token-saved`, or `editing-cancelled`. Its text survives a login,
 * a reload and a visit to another page.
 */
export class TokenEditor extends DashboardPage<TokensMessages, object, { readonly name: 'permits-nothing' }> {
  /** Whether the person began to fill in the form before, and the page was left since. */
  @property({ attribute: false }) isContinued = false;
  /** What the form begins with. Lit sets it again whenever the page renders, so what the person enters is elsewhere. */
  @property({ attribute: false }) form: TokenForm = { kind: 'publish', base: undefined, draft: emptyDraft };
  /** The token that is edited. Undefined: a new one. */
  @state() private base: TaggedToken | undefined;
  @state() private draft: TokenDraft = emptyDraft;
  /** The fields that somebody else has changed meanwhile. */
  @state() private conflicts: readonly TokenField[] = [];
  @state() private hasConflict = false;
  /** What the server said about the fields that the draft still has. */
  @state() private refused: FieldFaults = {};
  /** Whether the person has tried to save the form with its faults. */
  @state() private hasTried = false;
  @state() private isMoreOpen = false;
  #wasFoldUsed = false;
  /** The last request that created the token, so that repeating it creates no second one. */
  #creation: { readonly draft: TokenDraft; readonly body: TokenFieldsBody; readonly key: string } | undefined;

  /** Unfolds what begins to be used. Afterwards the person folds it as they like, until a fault is in it. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    if (changed.has('form')) ({ base: this.base, draft: this.draft } = this.form);
    const isUsed = isFoldUsed(this.#edited);
    if (isUsed && !this.#wasFoldUsed) this.isMoreOpen = true;
    this.#wasFoldUsed = isUsed;
  }

  protected override render(): TemplateResult {
    const { messages, common, base, texts, changes } = this;
    const edited = this.#edited;
    const faulty = tokenFields.filter((field) => field in edited.faults);
    return html`
      <h1 tabindex="-1" dir="auto">
        ${base ? messages.editThis(nameOf(base, common)) : messages.newToken[this.#kind]}
      </h1>
      ${this.isContinued ? html`<p class="card" role="status">${messages.continued}</p>` : nothing}
      ${
        this.hasConflict
          ? html`<p class="card error" role="alert">
              ${this.conflicts.length > 0 ? messages.conflict : messages.merged}
            </p>`
          : nothing
      }
      <form class="card fields" novalidate @submit=${this.#submit}>
        ${editorFields(edited, {
          texts,
          isMoreOpen: this.isMoreOpen,
          onToggleMore: (isOpen) => (this.isMoreOpen = isOpen),
          onInput: (change) => this.#change(change),
          onUseTheirs: (field) => this.#useTheirs(field),
        })}
        ${
          this.hasTried && faulty.length > 0
            ? html`<p class="error" role="alert">
                ${messages.notSaved(
                  listText(
                    faulty.map((field) => fieldName(field, messages)),
                    this.language,
                  ),
                )}
              </p>`
            : nothing
        }
        ${changes.alert()}
        <div class="actions">
          <button type="button" @click=${this.#cancel}>${common.cancel}</button>
          <button class="primary" ?disabled=${changes.isBusy}>${base ? messages.save : messages.create}</button>
        </div>
      </form>
      ${this.dialog.render(() =>
        confirmation(
          { title: messages.permitsNothing, effect: messages.permitsNothingEffect, action: messages.saveAnyway },
          { changes, common, onConfirm: () => this.#saveAnyway() },
        ),
      )}
    `;
  }

  get #edited(): EditedToken {
    const { base, draft, conflicts } = this;
    const faults = { ...this.#schemaFaults(), ...this.refused };
    return { kind: this.#kind, base, draft, faults, conflicts, knowsCountries: this.context.countries };
  }

  protected override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>('h1')?.focus();
  }

  get #kind(): TokenKind {
    return this.form.kind;
  }

  #body(): TokenFieldsBody {
    const { base, draft } = this;
    return base ? changeOf(draft, base, this.#kind, Date.now()) : creationOf(draft, this.#kind, Date.now());
  }

  #schemaFaults(): FieldFaults {
    return schemaFaults(this.#body(), this.#kind, this.base === undefined);
  }

  #change(change: Partial<TokenDraft>): void {
    const needsDate = change.expiry === 'date' && !this.draft.expiryDate;
    this.draft = { ...this.draft, ...change, ...(needsDate && { expiryDate: localTime(Date.now() + DAY_MS) }) };
    this.refused = {};
    this.#keep();
  }

  #useTheirs(field: TokenField): void {
    this.draft = withTheirs(this.draft, this.base!, field);
    this.conflicts = this.conflicts.filter((one) => one !== field);
    this.#keep();
  }

  readonly #submit = (event: SubmitEvent): void => {
    event.preventDefault();
    this.hasTried = true;
    if (Object.keys(this.#schemaFaults()).length > 0) return void this.#focusFault();
    if (this.#body().streams?.length === 0) return void this.dialog.open({ name: 'permits-nothing' });
    this.changes.attempt(() => this.#save());
  };

  #saveAnyway(): void {
    this.dialog.close();
    this.changes.attempt(() => this.#save());
  }

  async #save(): Promise<void> {
    const { base } = this;
    const body = this.#body();
    try {
      if (!base) this.#saved(await this.#create(), true);
      else if (Object.keys(body).length === 0) this.#cancel();
      else this.#saved(await this.#calls.update(base.id, body, { ifMatch: base.etag }), false);
    } catch (error) {
      if (!(error instanceof ManagementError)) throw error;
      if (base && error.code === 'etag_mismatch') return await this.#merge(base);
      this.refused = serverFaults(error.errors, body);
      if (Object.keys(this.refused).length === 0) throw error;
      await this.#focusFault();
    }
  }

  async #create(): Promise<TaggedToken> {
    if (this.#creation?.draft !== this.draft) {
      this.#creation = { draft: this.draft, body: this.#body(), key: randomKey() };
    }
    const { body, key } = this.#creation;
    return await this.#calls.create(body, { idempotencyKey: key });
  }

  /** Somebody else has saved the token. The person sees both versions, and saves again. */
  async #merge(base: TaggedToken): Promise<void> {
    const present = await this.#calls.get(base.id);
    const { draft, conflicts, hasNews } = mergeDraft(this.draft, base, present);
    this.base = present;
    this.draft = draft;
    if (!hasNews) return await this.#save();
    this.conflicts = conflicts;
    this.hasConflict = true;
    this.#keep();
    await this.updateComplete;
    this.renderRoot.querySelector('[role=alert]')?.scrollIntoView({ block: 'center' });
  }

  get #calls() {
    return this.#kind === 'publish' ? this.client.publishTokens : this.client.subscribeTokens;
  }

  /** So that the form is still there after a login, if the session has ended meanwhile. */
  #keep(): void {
    const { base, draft } = this;
    keepForm(this.context.accountId, withoutValue({ kind: this.#kind, base, draft }));
  }

  #saved(token: TaggedToken, isNew: boolean): void {
    forgetForm();
    this.dispatchEvent(new TokenSavedEvent(this.#kind, token, isNew));
  }

  readonly #cancel = (): void => {
    forgetForm();
    this.dispatchEvent(new Event('editing-cancelled'));
  };

  async #focusFault(): Promise<void> {
    if (isFoldFaulty(this.#edited)) this.isMoreOpen = true;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }
}

/** 128 random bits. `crypto.randomUUID` needs a secure context, which a dashboard in a local network may not have. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

customElements.define('token-editor', TokenEditor);

declare global {
  interface HTMLElementTagNameMap {
    'token-editor': TokenEditor;
  }
}
