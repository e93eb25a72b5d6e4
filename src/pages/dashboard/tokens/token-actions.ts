import { MAX_IMPORT_BYTES } from '../../../wire/management/token-import.js';
import type { TokenBody } from '../../../wire/management/token.js';
import { fetchPinnedFile } from '../../pinned-file.js';
import type { PageChanges } from '../page-changes.js';
import type { PageDialog } from '../page-dialog.js';
import { saveCsv } from '../save-file.js';
import type { TokenQuestion } from './question-dialog.js';
import type { CreatedTokens } from './import-dialog.js';
import type { Opened, TokenDialog, TokenDialogActions } from './token-dialog.js';
import { nameOf, type TokenTexts } from './token-facts.js';
import type { TokenKind } from './token-kind.js';
import { selectionResult, type SelectionChange, type SelectionQuestion } from './token-selection.js';
import type { TokensState } from './tokens-state.js';
import { requestOf, type TokenTrial } from './trial-dialog.js';
import { firstStream } from './use-dialog.js';

interface ActionOptions {
  readonly state: TokensState;
  readonly dialog: PageDialog<TokenDialog>;
  readonly changes: PageChanges;
  /** In the language of now. */
  readonly texts: () => TokenTexts;
  /** These tokens are not selected any more: they were deleted, or what was asked for them is done. */
  readonly onDeselect: (ids: readonly number[]) => void;
}

/** What a person does with the tokens of the list: opens the dialogs for it, and makes the changes. */
export class TokenActions implements TokenDialogActions {
  readonly #options: ActionOptions;

  constructor(options: ActionOptions) {
    this.#options = options;
  }

  /** Shows the links, addresses and codes of a token. */
  use(token: TokenBody, kind: TokenKind): void {
    this.#options.changes.attempt(() => this.#openUse(token, kind));
  }

  useWith(shown: Opened<'use'>, streamName: string): void {
    const { dialog, state } = this.#options;
    const asked = { ...shown, streamName, dvr: shown.token.record === true };
    dialog.replace(shown, asked);
    if (shown.kind === 'publish') return;
    // The links are already shown. Without an answer they have no timeline.
    state.isRecorded(streamName).then(
      (dvr) => dialog.replace(asked, { ...asked, dvr }),
      () => {},
    );
  }

  /** Opens the question whom the token would admit. */
  trial(token: TokenBody, kind: TokenKind): void {
    this.#options.dialog.open({ name: 'trial', token, kind, explanation: undefined });
  }

  tryOut(event: SubmitEvent, shown: Opened<'trial'>): void {
    event.preventDefault();
    const { state, changes, dialog } = this.#options;
    const request = requestOf(new FormData(event.currentTarget as HTMLFormElement), shown satisfies TokenTrial);
    changes.attempt(async () => dialog.replace(shown, { ...shown, explanation: await state.explain(request) }));
  }

  enable(token: TokenBody, kind: TokenKind): void {
    const { state, changes } = this.#options;
    changes.attempt(async () => {
      await state.setActive(token, kind, true);
      const { messages, common } = this.#options.texts();
      return messages.enabled(nameOf(token, common));
    });
  }

  /** Asks before a change. What is live with the token is added to the question when it is known. */
  async ask(question: TokenQuestion): Promise<void> {
    const { state, dialog } = this.#options;
    const asked = dialog.open({ name: 'question', ...question });
    const { kind, token } = question;
    const known =
      kind === 'publish'
        ? { live: await state.liveStreams(token) }
        : { viewers: await state.openSessions([token.id], kind) };
    dialog.replace(asked, { ...asked, ...known });
  }

  change({ change, token, kind }: TokenQuestion): void {
    const { state, dialog, changes, onDeselect } = this.#options;
    const texts = this.#options.texts();
    const { messages } = texts;
    const name = nameOf(token, texts.common);
    changes.attempt(async () => {
      switch (change) {
        case 'disable':
          await state.setActive(token, kind, false);
          dialog.close();
          return messages.disabled(name);
        case 'delete':
          await state.remove(token, kind);
          onDeselect([token.id]);
          dialog.close();
          return messages.deleted(name);
        case 'refresh':
          return await this.#openUse(await state.refresh(token, kind), kind);
      }
    });
  }

  /** Asks before a change that ends sessions. How many it ends is added to the question when it is known. */
  async askSelected({ action, kind, ids }: SelectionChange): Promise<void> {
    const { state, dialog } = this.#options;
    if (action === 'enable') return this.changeSelected({ action, kind, ids });
    const question: SelectionQuestion = { action, kind, ids, sessions: undefined };
    const asked = dialog.open({ name: 'selection', ...question });
    dialog.replace(asked, { ...asked, sessions: await state.openSessions(ids, kind) });
  }

  changeSelected({ action, kind, ids }: SelectionChange): void {
    const { state, dialog, changes, texts, onDeselect } = this.#options;
    changes.attempt(async () => {
      const results = await state.changeSeveral(action, ids, kind);
      dialog.close();
      onDeselect(ids);
      return selectionResult(action, results, texts());
    });
  }

  importFile(kind: TokenKind): void {
    this.#options.dialog.open({ name: 'import', kind, step: 'choose' });
  }

  checkFile(file: File, kind: TokenKind): void {
    const { state, dialog, changes, texts } = this.#options;
    const fileName = file.name;
    const asked = dialog.open({ name: 'import', kind, step: 'checking', fileName });
    changes.attempt(async () => {
      try {
        if (file.size > MAX_IMPORT_BYTES) throw new Error(texts().messages.fileTooLarge);
        const checked = await state.checkTable(await file.text(), kind);
        dialog.replace(asked, { name: 'import', kind, fileName, ...checked });
      } catch (error) {
        dialog.replace(asked, { name: 'import', kind, step: 'choose' });
        throw error;
      }
    });
  }

  importTable(checked: Opened<'import'>): void {
    if (checked.step !== 'checked') return;
    const { state, dialog, changes } = this.#options;
    const { kind, fileName, count, csv } = checked;
    changes.attempt(async () => {
      const links = await state.importTable(csv, kind);
      const created = { kind, step: 'created', fileName, count, links } as const;
      dialog.open({ name: 'import', ...created });
      // At once: whoever closes the dialog has the file.
      this.saveLinks(created);
    });
  }

  saveLinks({ links, fileName }: CreatedTokens): void {
    saveCsv(links, `${fileName.replace(/\.\w+$/, '')}-links.csv`);
  }

  async #openUse(token: TokenBody, kind: TokenKind): Promise<void> {
    const streamName = firstStream(token);
    const [pinned, dvr] = await Promise.all([
      fetchPinnedFile(location.origin),
      kind === 'publish' ? token.record === true : this.#options.state.isRecorded(streamName),
    ]);
    this.#options.dialog.open({ name: 'use', kind, token, streamName, dvr, pinned });
  }
}
