import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { RecordingBody, RecordingSettingsBody } from '../../../wire/management/recording.js';
import { DashboardPage } from '../dashboard-page.js';
import { clockText, dateTimeText, localTime } from '../formatting.js';
import { pageButtons } from '../page-buttons.js';
import { pageNumber } from '../page-query.js';
import { clipOf } from './clip-range.js';
import type { RecordingsMessages } from './messages/recordings-messages.js';
import { recordingDialog, type CutDialog, type KeepDialog, type RecordingDialog } from './recording-dialog.js';
import { recordingFilterOf, recordingFilters, recordingQueryOf } from './recording-filters.js';
import { recordingName, recordingRow, type RecordingAction } from './recording-row.js';
import { RecordingsState, type RecordingsContent } from './recordings-state.js';
import { readSettings, settingsDraft, type SettingsDraft, type SettingsFault } from './settings-draft.js';
import { quotaWarning, storageSection } from './storage-section.js';

const HOUR_S = 3_600;
/** The longest that a link may work. */
const WEEK_S = 7 * 24 * HOUR_S;
/** The length of a clip that is offered first. */
const CLIP_S = 30;

/** The recordings and clips: to watch, to download, to share, to keep and to delete; and the space that they use. */
export class RecordingsPage extends DashboardPage<RecordingsMessages, RecordingsContent, RecordingDialog> {
  /** The settings as they are edited. Undefined: as they are saved. */
  @state() private draft: SettingsDraft | undefined;
  @state() private settingsFaults: readonly SettingsFault[] = [];
  #state!: RecordingsState;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#state = new RecordingsState({ client: this.client, onChange: (view) => this.show(view) });
    this.#state.start();
    this.follow(this.query);
  }

  protected override follow(query: URLSearchParams): void {
    void this.#state.filter(recordingFilterOf(query), pageNumber(query));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#state.stop();
  }

  protected override render(): TemplateResult {
    const { messages, texts, changes } = this;
    return html`
      <h1 tabindex="-1">${messages.recordings}</h1>
      <p class="soft">${messages.purpose}</p>
      ${this.outcome()}
      ${this.whenReady(
        (content) => this.#content(content),
        () => void this.#state.load(),
      )}
      ${this.dialog.render((dialog) =>
        recordingDialog(
          dialog,
          {
            changes,
            onReplace: (next) => this.dialog.replace(dialog, next),
            onCut: (cut) => this.#cut(cut),
            onKeep: (keep) => this.#keep(keep),
            onDelete: (recording) => this.#remove(recording),
          },
          texts,
        ),
      )}
    `;
  }

  #content(content: RecordingsContent): TemplateResult {
    const { messages, texts } = this;
    const { recordings, settings, isStale, filter } = content;
    return html`
      ${isStale ? html`<p class="card error" role="alert">${messages.stale}</p>` : nothing}
      ${settings.isAvailable ? nothing : html`<p class="card">${messages.unavailable}</p>`}
      ${quotaWarning(settings, messages)}
      ${recordingFilters(filter, (chosen) => this.turn(recordingQueryOf(chosen)), texts)} ${this.#list(content)}
      ${
        recordings.length === 0
          ? nothing
          : html`<div class="actions">
              ${this.csvButton(messages.recordings, 'recordings.csv', () => this.#state.csv())}
            </div>`
      }
      ${this.#storage(settings)}
    `;
  }

  #list(content: RecordingsContent): TemplateResult | typeof nothing {
    const { messages, common, language, texts } = this;
    const { recordings, filter, settings } = content;
    const isFiltered = filter.streamName !== '' || filter.state !== undefined;
    // How to record is no help on a server that does not.
    if (recordings.length === 0 && !isFiltered && !settings.isAvailable) return nothing;
    const row = (recording: RecordingBody): TemplateResult =>
      recordingRow(
        recording,
        texts,
        this.changes.isBusy,
        this.may('recordings') ? (action) => this.#act(action, recording) : undefined,
      );
    return html`
      <section class="card" aria-label=${messages.recordings}>
        ${
          recordings.length === 0
            ? html`<p class="soft">${isFiltered ? messages.noneFound : messages.none}</p>`
            : html`<ul>
                ${repeat(recordings, ({ id }) => id, row)}
              </ul>`
        }
        ${pageButtons(content, { messages: common, language }, (page) => this.turn(recordingQueryOf(filter, page)))}
      </section>
    `;
  }

  #storage(settings: RecordingSettingsBody): TemplateResult {
    const { messages, language } = this;
    if (!this.may('account')) return storageSection(settings, messages, language, undefined);
    const draft = this.draft ?? settingsDraft(settings);
    return storageSection(settings, messages, language, {
      draft,
      faults: this.settingsFaults,
      isBusy: this.changes.isBusy,
      onInput: (change) => {
        this.draft = { ...draft, ...change };
        this.settingsFaults = [];
      },
      onSave: () => this.#saveSettings(draft),
    });
  }

  #act(action: RecordingAction, recording: RecordingBody): void {
    const { id, expiresOn } = recording;
    switch (action) {
      case 'keep': {
        const date = expiresOn === null ? '' : localTime(Date.parse(expiresOn));
        this.dialog.open({ name: 'keep', recording, date, isWrong: false });
        return;
      }
      case 'delete':
        this.dialog.open({ name: 'delete', recording });
        return;
      case 'finish':
        return this.changes.attempt(async () => {
          await this.#state.finish(id);
          return this.messages.finishing(recordingName(recording, this.language));
        });
      case 'play':
        return this.changes.attempt(async () => {
          const { path } = await this.#state.link(id, HOUR_S);
          this.dialog.open({ name: 'play', recording, path, isUnplayable: false });
        });
      case 'download':
        return this.changes.attempt(async () => saveFrom((await this.#state.link(id, HOUR_S, true)).path));
      case 'cut':
        return this.changes.attempt(async () => {
          const { path } = await this.#state.link(id, HOUR_S);
          const to = clockText(Math.min(recording.durationSeconds, CLIP_S));
          this.dialog.open({ name: 'cut', recording, path, from: clockText(0), to, isWrong: false });
        });
      case 'link':
        return this.changes.attempt(async () => {
          const { path, expiresOn: end } = await this.#state.link(id, WEEK_S);
          const until = dateTimeText(end, this.language);
          this.dialog.open({ name: 'link', recording, link: `${location.origin}${path}`, until });
        });
    }
  }

  #cut(dialog: CutDialog): void {
    const { recording, from, to } = dialog;
    const piece = clipOf(from, to, recording.durationSeconds);
    if (!piece) return this.dialog.replace(dialog, { ...dialog, isWrong: true });
    this.changes.attempt(async () => {
      await this.#state.cut(recording.id, piece);
      this.dialog.close();
      return this.messages.clipBegun(recordingName(recording, this.language));
    });
  }

  #keep(dialog: KeepDialog): void {
    const time = dialog.date === '' ? null : Date.parse(dialog.date);
    if (time !== null && !(time > Date.now())) return this.dialog.replace(dialog, { ...dialog, isWrong: true });
    const { recording } = dialog;
    this.changes.attempt(async () => {
      await this.#state.setExpiry(recording.id, time === null ? null : new Date(time).toISOString());
      this.dialog.close();
      return this.messages.kept(recordingName(recording, this.language));
    });
  }

  #remove(recording: RecordingBody): void {
    this.changes.attempt(async () => {
      await this.#state.remove(recording.id);
      this.dialog.close();
      return this.messages.deleted(recordingName(recording, this.language));
    });
  }

  #saveSettings(draft: SettingsDraft): void {
    this.changes.forget();
    const change = readSettings(draft);
    if (isFaults(change)) {
      this.settingsFaults = change;
      void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(`[name=${change[0]}]`)?.focus());
      return;
    }
    this.changes.attempt(async () => {
      await this.#state.saveSettings(change);
      this.draft = undefined;
      return this.messages.settingsSaved;
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
