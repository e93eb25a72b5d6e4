import { html, nothing, type TemplateResult } from 'lit';
import type { RecordingBody } from '../../../wire/management/recording.js';
import '../../copy-field.js';
import { confirmation, doneButton } from '../dialog-contents.js';
import { clockText } from '../formatting.js';
import type { PageChanges } from '../page-changes.js';
import { recordingName, type RecordingTexts } from './recording-row.js';

export type RecordingDialog =
  | { readonly name: 'play'; readonly recording: RecordingBody; readonly path: string; readonly isUnplayable: boolean }
  | { readonly name: 'link'; readonly recording: RecordingBody; readonly link: string; readonly until: string }
  | CutDialog
  | KeepDialog
  | { readonly name: 'delete'; readonly recording: RecordingBody };

export interface CutDialog {
  readonly name: 'cut';
  readonly recording: RecordingBody;
  /** Of the file, to find the places in it. */
  readonly path: string;
  /** Times from the beginning of the recording, as the person writes them. */
  readonly from: string;
  readonly to: string;
  /** Whether the person has asked for a clip that cannot be cut. */
  readonly isWrong: boolean;
}

export interface KeepDialog {
  readonly name: 'keep';
  readonly recording: RecordingBody;
  /** Local time. Empty: it is kept. */
  readonly date: string;
  /** Whether the person has asked for a time that is over. */
  readonly isWrong: boolean;
}

interface DialogActions {
  readonly changes: PageChanges;
  readonly onReplace: (next: RecordingDialog) => void;
  readonly onCut: (dialog: CutDialog) => void;
  readonly onKeep: (dialog: KeepDialog) => void;
  readonly onDelete: (recording: RecordingBody) => void;
}

/** The content of the dialog of the page of recordings. */
export function recordingDialog(
  dialog: RecordingDialog,
  actions: DialogActions,
  texts: RecordingTexts,
): TemplateResult {
  const { messages, common, language } = texts;
  const name = recordingName(dialog.recording, language);
  switch (dialog.name) {
    case 'play':
      return html`
        <h2 id="dialog" dir="auto">${name}</h2>
        <video
          class="recording"
          controls
          autoplay
          playsinline
          aria-label=${name}
          src=${dialog.path}
          @error=${() => actions.onReplace({ ...dialog, isUnplayable: true })}
        ></video>
        ${dialog.isUnplayable ? html`<p class="error" role="alert">${messages.cannotPlay}</p>` : nothing}
        ${doneButton(common)}
      `;
    case 'link':
      return html`
        <h2 id="dialog" dir="auto">${messages.link}: ${name}</h2>
        <p class="soft">${messages.linkEffect(dialog.until)}</p>
        <copy-field .messages=${common.copy} .label=${messages.link} .value=${dialog.link}></copy-field>
        ${doneButton(common)}
      `;
    case 'cut':
      return cutForm(dialog, name, actions, texts);
    case 'keep':
      return keepForm(dialog, name, actions, texts);
    case 'delete':
      return confirmation(
        { title: messages.deleteQuestion(name), effect: messages.deleteEffect, action: messages.delete },
        { changes: actions.changes, common, onConfirm: () => actions.onDelete(dialog.recording) },
      );
  }
}

function cutForm(
  dialog: CutDialog,
  name: string,
  { changes, onReplace, onCut }: DialogActions,
  { messages, common }: RecordingTexts,
): TemplateResult {
  const change = (times: Partial<Pick<CutDialog, 'from' | 'to'>>): void =>
    onReplace({ ...dialog, ...times, isWrong: false });
  const time = (which: 'from' | 'to', label: string, here: string): TemplateResult => html`
    <label
      >${label}
      <input
        inputmode="numeric"
        dir="ltr"
        .value=${dialog[which]}
        aria-invalid=${dialog.isWrong}
        aria-describedby="cut-effect cut-fault"
        @input=${({ target }: Event) => change({ [which]: (target as HTMLInputElement).value })}
      />
    </label>
    <button type="button" @click=${(event: Event) => change({ [which]: placeIn(event) })}>${here}</button>
  `;
  return html`
    <h2 id="dialog" dir="auto">${messages.cut}: ${name}</h2>
    <video class="recording" controls playsinline aria-label=${name} src=${dialog.path}></video>
    <form class="fields" @submit=${onSubmit(() => onCut(dialog))}>
      <p class="soft" id="cut-effect">${messages.cutEffect}</p>
      ${time('from', messages.cutFrom, messages.cutFromHere)} ${time('to', messages.cutTo, messages.cutToHere)}
      <p class="error" id="cut-fault" aria-live="polite">${dialog.isWrong ? messages.cutFault : changes.fault}</p>
      ${submitButtons(messages.cut, changes, common)}
    </form>
  `;
}

/** The time that the video of the dialog shows. */
function placeIn({ currentTarget }: Event): string {
  const dialog = (currentTarget as Element).closest('dialog')!;
  return clockText(dialog.querySelector('video')!.currentTime);
}

function keepForm(
  dialog: KeepDialog,
  name: string,
  { changes, onReplace, onKeep }: DialogActions,
  { messages, common }: RecordingTexts,
): TemplateResult {
  return html`
    <h2 id="dialog" dir="auto">${messages.keep}: ${name}</h2>
    <form class="fields" novalidate @submit=${onSubmit(() => onKeep(dialog))}>
      <p class="soft" id="keep-effect">${messages.keepEffect}</p>
      <label
        >${messages.deletedOn}
        <input
          type="datetime-local"
          .value=${dialog.date}
          aria-invalid=${dialog.isWrong}
          aria-describedby="keep-effect keep-fault"
          @input=${({ target }: Event) =>
            onReplace({ ...dialog, date: (target as HTMLInputElement).value, isWrong: false })}
        />
      </label>
      <p class="error" id="keep-fault" aria-live="polite">
        ${dialog.isWrong ? messages.deletedOnFault : changes.fault}
      </p>
      ${submitButtons(messages.save, changes, common)}
    </form>
  `;
}

/** Enter in a field does what the button does. */
const onSubmit =
  (act: () => void) =>
  (event: SubmitEvent): void => {
    event.preventDefault();
    act();
  };

/** In the form, where a second one for the button that cancels cannot be. */
const submitButtons = (action: string, changes: PageChanges, common: RecordingTexts['common']): TemplateResult => html`
  <div class="actions">
    <button type="button" @click=${({ currentTarget }: Event) => (currentTarget as Element).closest('dialog')!.close()}>
      ${common.cancel}
    </button>
    <button class="primary" ?disabled=${changes.isBusy}>${action}</button>
  </div>
`;
