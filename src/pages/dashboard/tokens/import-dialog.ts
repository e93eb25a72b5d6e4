import { html, nothing, type TemplateResult } from 'lit';
import type { PageChanges } from '../page-changes.js';
import type { TokenTexts } from './token-facts.js';
import type { TokenKind } from './token-kind.js';

/** A file with tokens, on its way. */
export type TokenImportDraft = { readonly kind: TokenKind } & (
  | { readonly step: 'choose' }
  | { readonly step: 'checking'; readonly fileName: string }
  /** What is wrong, by the line of the file. */
  | { readonly step: 'faulty'; readonly fileName: string; readonly faults: Readonly<Record<string, readonly string[]>> }
  | { readonly step: 'checked'; readonly fileName: string; readonly csv: string; readonly count: number }
  /** The links contain the new tokens, so they are in the memory of this page alone. */
  | { readonly step: 'created'; readonly fileName: string; readonly links: string; readonly count: number }
);

export type CreatedTokens = Extract<TokenImportDraft, { step: 'created' }>;

interface ImportActions {
  readonly changes: PageChanges;
  readonly onFile: (file: File) => void;
  readonly onConfirm: () => void;
  readonly onSave: (created: CreatedTokens) => void;
}

/** Chooses a file, says what is wrong with it, and creates its tokens. */
export function importDialog(
  draft: TokenImportDraft,
  { changes, onFile, onConfirm, onSave }: ImportActions,
  texts: TokenTexts,
): TemplateResult {
  const { messages, common } = texts;
  if (draft.step === 'created') return createdTokens(draft, onSave, texts);
  const choose = (event: Event): void => {
    const input = event.currentTarget as HTMLInputElement;
    const file = input.files?.[0];
    // The same file can be chosen again, after it was corrected.
    input.value = '';
    if (file) onFile(file);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file && !changes.isBusy) onFile(file);
  };
  return html`
    <h2 id="dialog">${messages.importTitle[draft.kind]}</h2>
    <p class="soft">${messages.importHint}</p>
    <div class="drop" @dragover=${(event: DragEvent) => event.preventDefault()} @drop=${drop}>
      <label class="button">
        ${draft.step === 'choose' ? messages.chooseFile : messages.chooseOtherFile}
        <input
          type="file"
          class="visually-hidden"
          accept=".csv,.tsv,.txt,text/csv"
          ?disabled=${changes.isBusy || draft.step === 'checking'}
          @change=${choose}
        />
      </label>
      <span class="soft">${messages.orDrop}</span>
    </div>
    <div role="status">${outcome(draft, texts)}</div>
    ${changes.alert()}
    <div class="actions">
      <form method="dialog"><button>${common.cancel}</button></form>
      ${
        draft.step === 'checked'
          ? html`<button class="primary" ?disabled=${changes.isBusy} @click=${() => onConfirm()}>
              ${messages.importCount(draft.count.toLocaleString(texts.language))}
            </button>`
          : nothing
      }
    </div>
  `;
}

function createdTokens(
  created: CreatedTokens,
  onSave: (created: CreatedTokens) => void,
  { messages, common, language }: TokenTexts,
): TemplateResult {
  return html`
    <h2 id="dialog">${messages.importTitle[created.kind]}</h2>
    <p class="is-on" role="status">${messages.imported(created.count.toLocaleString(language))}</p>
    <p>${messages.linksEffect}</p>
    <div class="actions">
      <form method="dialog"><button>${common.done}</button></form>
      <button class="primary" autofocus @click=${() => onSave(created)}>${messages.saveLinks}</button>
    </div>
  `;
}

function outcome(
  draft: Exclude<TokenImportDraft, CreatedTokens>,
  { messages, language }: TokenTexts,
): TemplateResult | typeof nothing {
  switch (draft.step) {
    case 'choose':
      return nothing;
    case 'checking':
      return html`<p>${messages.checkingFile(draft.fileName)}</p>`;
    case 'checked':
      return html`<p class="is-on">${messages.fileIsGood(draft.fileName, draft.count.toLocaleString(language))}</p>`;
    case 'faulty':
      return html`
        <p class="error">${messages.fileHasFaults(draft.fileName)}</p>
        <div class="scroll faults" tabindex="0" role="group" aria-label=${messages.fileHasFaults(draft.fileName)}>
          <dl>
            ${Object.entries(draft.faults).map(
              ([line, faults]) => html`
                <div>
                  <dt>${lineName(line, messages.line)}</dt>
                  ${faults.map((fault) => html`<dd lang="en" dir="ltr">${fault}</dd>`)}
                </div>
              `,
            )}
          </dl>
        </div>
      `;
  }
}

/** The server names a line `line 7`, and the whole file `file`. */
function lineName(name: string, lineText: (line: string) => string): string {
  const number = /^line (\d+)$/.exec(name)?.[1];
  return number === undefined ? '' : lineText(number);
}
