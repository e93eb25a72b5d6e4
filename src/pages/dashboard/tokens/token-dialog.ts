import type { TemplateResult } from 'lit';
import type { PageChanges } from '../page-changes.js';
import type { RefusalsMessages } from '../refusals/messages/refusals-messages.js';
import { importDialog, type CreatedTokens, type TokenImportDraft } from './import-dialog.js';
import { questionDialog, type TokenQuestion } from './question-dialog.js';
import type { TokenTexts } from './token-facts.js';
import type { TokenKind } from './token-kind.js';
import { selectionDialog, type SelectionQuestion } from './token-selection.js';
import { trialDialog, type TokenTrial } from './trial-dialog.js';
import { useDialog, type TokenPlace, type TokenUse } from './use-dialog.js';

/** What the dialog of the page of tokens shows. */
export type TokenDialog =
  | ({ readonly name: 'use' } & TokenUse)
  | ({ readonly name: 'trial' } & TokenTrial)
  | ({ readonly name: 'question' } & TokenQuestion)
  | ({ readonly name: 'selection' } & SelectionQuestion)
  | ({ readonly name: 'import' } & TokenImportDraft);

/** What the buttons and forms of the dialogs do. */
export interface TokenDialogActions {
  useWith(shown: Opened<'use'>, streamName: string): void;
  tryOut(event: SubmitEvent, shown: Opened<'trial'>): void;
  change(question: TokenQuestion): void;
  changeSelected(question: SelectionQuestion): void;
  checkFile(file: File, kind: TokenKind): void;
  importTable(checked: Opened<'import'>): void;
  saveLinks(created: CreatedTokens): void;
}

/** The dialog with this name. */
export type Opened<Name extends TokenDialog['name']> = Extract<TokenDialog, { name: Name }>;

interface DialogOptions {
  readonly actions: TokenDialogActions;
  readonly changes: PageChanges;
  readonly texts: TokenTexts;
  /** The texts of the page of refusals, for explanations. */
  readonly refusals: RefusalsMessages;
  readonly place: TokenPlace;
}

/** The content of the dialog, and what its buttons do. */
export function tokenDialog(
  dialog: TokenDialog,
  { actions, changes, texts, refusals, place }: DialogOptions,
): TemplateResult {
  switch (dialog.name) {
    case 'use':
      return useDialog(dialog, place, { texts, onStream: (streamName) => actions.useWith(dialog, streamName.trim()) });
    case 'trial':
      return trialDialog(
        dialog,
        { changes, onSubmit: (event) => actions.tryOut(event, dialog) },
        { ...texts, refusals },
      );
    case 'question':
      return questionDialog(dialog, { changes, onConfirm: () => actions.change(dialog) }, texts);
    case 'selection':
      return selectionDialog(dialog, { changes, onConfirm: () => actions.changeSelected(dialog) }, texts);
    case 'import':
      return importDialog(
        dialog,
        {
          changes,
          onFile: (file) => actions.checkFile(file, dialog.kind),
          onConfirm: () => actions.importTable(dialog),
          onSave: (created) => actions.saveLinks(created),
        },
        texts,
      );
  }
}
