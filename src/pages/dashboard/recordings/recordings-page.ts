import { html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { recordingStates, type RecordingBody, type RecordingSettingsBody } from '../../../wire/management/recording.js';
import '../../copy-field.js';
import { DashboardPage } from '../dashboard-page.js';
import { localTime } from '../local-time.js';
import { pageButtons } from '../page-buttons.js';
import { unreadyContent } from '../page-view.js';
import type { RecordingsMessages } from './messages/recordings-messages.js';
import { dateText, recordingName, recordingRow, type RecordingAction } from './recording-row.js';
import { RecordingsState, type RecordingsContent } from './recordings-state.js';
import { readSettings, settingsDraft, type SettingsDraft, type SettingsFault } from './settings-draft.js';
import { storageSection } from './storage-section.js';

const HOUR_S = 3_600;
/** The longest that a link may work. */
const WEEK_S = 7 * 24 * HOUR_S;

type Dialog =
  | { readonly name: 'play'; readonly recording: RecordingBody; readonly path: string; readonly isUnplayable: boolean }
  | { readonly name: 'link'; readonly recording: RecordingBody; readonly link: string; readonly until: string }
  /** `date`: local time. Empty: it is kept. */
  | { readonly name: 'keep'; readonly recording: RecordingBody; readonly date: string; readonly isWrong: boolean }
  | { readonly name: 'delete'; readonly recording: RecordingBody };

/** The recordings and clips: to watch, to download, to share, to keep and to delete; and the space that they use. */
export class RecordingsPage extends DashboardPage<RecordingsMessages, RecordingsContent> {
  @property({ attribute: false }) permissions: readonly string[] = [];
  @state() private dialog: Dialog | undefined;
  /** The settings as they are edited. Undefined: as they are saved. */
  @state() private draft: SettingsDraft | undefined;
  @state() private settingsFaults: readonly SettingsFault[] = [];
  /** What a change has done, for the person and for screen readers. */
  @state() private done = '';
  #state: RecordingsState | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#state = new RecordingsState({ client: this.client, onChange: (view) => this.show(view) });
    this.#state.start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#state?.stop();
  }

  protected override render(): TemplateResult {
    const { messages, view } = this;
    return html`
      <h1 tabindex="-1">${messages.recordings}</h1>
      <p class="soft">${messages.purpose}</p>
      ${this.fault && !this.dialog ? html`<p class="card error" role="alert">${this.fault}</p>` : nothing}
      <p role="status" class=${this.done ? 'card is-on' : 'visually-hidden'}>${this.done}</p>
      ${view.name === 'ready' ? this.#content(view) : unreadyContent(view, this.common, () => void this.#state?.load())}
      ${
        this.dialog
          ? html`<dialog aria-labelledby="dialog" @close=${() => (this.dialog = undefined)}>
              ${this.#dialogContent(this.dialog)}
            </dialog>`
          : nothing
      }
    `;
  }

  #content(content: RecordingsContent): TemplateResult {
    const { messages, common, language, isBusy } = this;
    const { recordings, settings, isStale, filter } = content;
    const isFiltered = filter.streamName !== '' || filter.state !== undefined;
    return html`
      ${isStale ? html`<p class="card error" role="alert">${messages.stale}</p>` : nothing}
      ${settings.isAvailable ? nothing : html`<p class="card">${messages.unavailable}</p>`} ${this.#filters(content)}
      <section class="card" aria-label=${messages.recordings}>
        ${
          recordings.length === 0
            ? html`<p class="soft">${isFiltered ? messages.noneFound : messages.none}</p>`
            : html`<ul>
                ${repeat(
                  recordings,
                  ({ id }) => id,
                  (recording) =>
                    recordingRow(
                      recording,
                      { messages, common, language },
                      isBusy,
                      this.permissions.includes('recordings') ? (action) => this.#act(action, recording) : undefined,
                    ),
                )}
              </ul>`
        }
        ${pageButtons(content, { messages: common, language }, (page) => void this.#state?.load(page))}
      </section>
      ${
        recordings.length === 0
          ? nothing
          : html`<div class="actions">
              ${this.csvButton(messages.recordings, 'recordings.csv', () => this.#state!.csv())}
            </div>`
      }
      ${this.#storage(settings)}
    `;
  }

  #filters({ filter }: RecordingsContent): TemplateResult {
    const { messages } = this;
    return html`
      <form
        class="card filters"
        @submit=${(event: SubmitEvent) => {
          event.preventDefault();
          const fields = new FormData(event.target as HTMLFormElement);
          const chosen = String(fields.get('state'));
          void this.#state?.filter({
            streamName: String(fields.get('streamName')).trim(),
            state: recordingStates.find((state) => state === chosen),
          });
        }}
      >
        <label
          >${messages.streamName}
          <input name="streamName" autocomplete="off" spellcheck="false" maxlength="128" .value=${filter.streamName} />
        </label>
        <label
          >${messages.state}
          <select name="state">
            <option value="" .selected=${filter.state === undefined}>${messages.everyState}</option>
            ${recordingStates.map(
              (state) =>
                html`<option value=${state} .selected=${filter.state === state}>${messages.states[state]}</option>`,
            )}
          </select>
        </label>
        <button>${messages.filter}</button>
      </form>
    `;
  }

  #storage(settings: RecordingSettingsBody): TemplateResult {
    const { messages, language, isBusy } = this;
    const draft = this.draft ?? settingsDraft(settings);
    return storageSection(
      settings,
      messages,
      language,
      this.permissions.includes('account')
        ? {
            draft,
            faults: this.settingsFaults,
            isBusy,
            onInput: (change) => {
              this.draft = { ...draft, ...change };
              this.settingsFaults = [];
            },
            onSave: () => this.#saveSettings(draft),
          }
        : undefined,
    );
  }

  #dialogContent(dialog: Dialog): TemplateResult {
    const { messages, common, language } = this;
    const name = recordingName(dialog.recording, language);
    const close = html`<form method="dialog"><button class="primary">${common.done}</button></form>`;
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
            @error=${() => (this.dialog = { ...dialog, isUnplayable: true })}
          ></video>
          ${dialog.isUnplayable ? html`<p class="error" role="alert">${messages.cannotPlay}</p>` : nothing}
          <div class="actions">${close}</div>
        `;
      case 'link':
        return html`
          <h2 id="dialog" dir="auto">${messages.link}: ${name}</h2>
          <p class="soft">${messages.linkEffect(dialog.until)}</p>
          <copy-field .messages=${common.copy} .label=${messages.link} .value=${dialog.link}></copy-field>
          <div class="actions">${close}</div>
        `;
      case 'keep':
        return this.#keepForm(dialog, name);
      case 'delete':
        return html`
          <h2 id="dialog" dir="auto">${messages.deleteQuestion(name)}</h2>
          <p class="soft">${messages.deleteEffect}</p>
          ${this.fault ? html`<p class="error" role="alert">${this.fault}</p>` : nothing}
          <div class="actions">
            <form method="dialog"><button autofocus>${common.cancel}</button></form>
            <button class="primary" ?disabled=${this.isBusy} @click=${() => this.#remove(dialog.recording)}>
              ${messages.delete}
            </button>
          </div>
        `;
    }
  }

  #keepForm(dialog: Extract<Dialog, { name: 'keep' }>, name: string): TemplateResult {
    const { messages, common } = this;
    return html`
      <h2 id="dialog" dir="auto">${messages.keep}: ${name}</h2>
      <div class="fields">
        <p class="soft" id="keep-effect">${messages.keepEffect}</p>
        <label
          >${messages.deletedOn}
          <input
            type="datetime-local"
            .value=${dialog.date}
            aria-invalid=${dialog.isWrong}
            aria-describedby="keep-effect keep-fault"
            @input=${({ target }: Event) =>
              (this.dialog = { ...dialog, date: (target as HTMLInputElement).value, isWrong: false })}
          />
        </label>
        <p class="error" id="keep-fault" aria-live="polite">${dialog.isWrong ? messages.deletedOnFault : this.fault}</p>
      </div>
      <div class="actions">
        <form method="dialog"><button>${common.cancel}</button></form>
        <button class="primary" ?disabled=${this.isBusy} @click=${() => this.#keep(dialog)}>${messages.save}</button>
      </div>
    `;
  }

  #act(action: RecordingAction, recording: RecordingBody): void {
    this.done = '';
    this.fault = '';
    const { id, expiresOn } = recording;
    if (action === 'keep') {
      const date = expiresOn === null ? '' : localTime(Date.parse(expiresOn));
      this.dialog = { name: 'keep', recording, date, isWrong: false };
    } else if (action === 'delete') this.dialog = { name: 'delete', recording };
    else {
      this.attempt(async () => {
        const link = await this.#state!.link(id, action === 'link' ? WEEK_S : HOUR_S, action === 'download');
        if (action === 'download') saveFrom(link.path);
        else if (action === 'play') this.dialog = { name: 'play', recording, path: link.path, isUnplayable: false };
        else {
          const until = dateText(link.expiresOn, this.language);
          this.dialog = { name: 'link', recording, link: `${location.origin}${link.path}`, until };
        }
      });
    }
  }

  #keep(dialog: Extract<Dialog, { name: 'keep' }>): void {
    const time = dialog.date === '' ? null : Date.parse(dialog.date);
    if (time !== null && !(time > Date.now())) {
      this.dialog = { ...dialog, isWrong: true };
      return;
    }
    const { recording } = dialog;
    this.attempt(async () => {
      await this.#state!.setExpiry(recording.id, time === null ? null : new Date(time).toISOString());
      this.dialog = undefined;
      this.done = this.messages.kept(recordingName(recording, this.language));
    });
  }

  #remove(recording: RecordingBody): void {
    this.attempt(async () => {
      await this.#state!.remove(recording.id);
      this.dialog = undefined;
      this.done = this.messages.deleted(recordingName(recording, this.language));
    });
  }

  #saveSettings(draft: SettingsDraft): void {
    this.done = '';
    const change = readSettings(draft);
    if (isFaults(change)) {
      this.settingsFaults = change;
      void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(`[name=${change[0]}]`)?.focus());
      return;
    }
    this.attempt(async () => {
      await this.#state!.saveSettings(change);
      this.draft = undefined;
      this.done = this.messages.settingsSaved;
    });
  }
}

const isFaults = (read: ReturnType<typeof readSettings>): read is readonly SettingsFault[] => Array.isArray(read);

/** The server sends the file as an attachment, so the page stays. */
function saveFrom(path: string): void {
  Object.assign(document.createElement('a'), { href: path, download: '' }).click();
}

customElements.define('recordings-page', RecordingsPage);

declare global {
  interface HTMLElementTagNameMap {
    'recordings-page': RecordingsPage;
  }
}
