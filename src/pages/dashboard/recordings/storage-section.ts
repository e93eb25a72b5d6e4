import { html, nothing, type TemplateResult } from 'lit';
import type { RecordingSettingsBody } from '../../../wire/management/recording.js';
import { sizeText } from '../formatting.js';
import type { RecordingsMessages } from './messages/recordings-messages.js';
import { quotaUse, type SettingsDraft, type SettingsFault } from './settings-draft.js';

export interface StorageForm {
  readonly draft: SettingsDraft;
  readonly faults: readonly SettingsFault[];
  readonly isBusy: boolean;
  readonly onInput: (change: Partial<SettingsDraft>) => void;
  readonly onSave: () => void;
}

/** How much space the recordings use, and the limits. @param form undefined: the person may only look */
export function storageSection(
  settings: RecordingSettingsBody,
  messages: RecordingsMessages,
  language: string,
  form: StorageForm | undefined,
): TemplateResult {
  const use = quotaUse(settings);
  const used = sizeText(settings.usedBytes, language);
  const count = settings.recordings.toLocaleString(language);
  return html`
    <section class="card" aria-labelledby="storage">
      <h2 id="storage">${messages.storage}</h2>
      <p id="used">
        ${settings.quotaBytes === null ? messages.used(used, count) : messages.usedOf(used, sizeText(settings.quotaBytes, language), count)}
      </p>
      ${use ? html`<progress class="quota" aria-labelledby="used" max="1" .value=${use.part}></progress>` : nothing}
      ${form ? settingsForm(messages, form) : html`<p class="soft">${messages.whoLimits}</p>`}
    </section>
  `;
}

/** Above everything else: the list may be long. */
export function quotaWarning(
  settings: RecordingSettingsBody,
  messages: RecordingsMessages,
): TemplateResult | typeof nothing {
  switch (quotaUse(settings)?.level) {
    case 'near':
      return html`<p class="card error" role="status">${messages.quotaNear}</p>`;
    case 'exceeded':
      return html`<p class="card error" role="alert">${messages.quotaExceeded}</p>`;
    default:
      return nothing;
  }
}

function settingsForm(messages: RecordingsMessages, { draft, faults, isBusy, onInput, onSave }: StorageForm) {
  const field = (name: SettingsFault, label: string, inputMode: 'numeric' | 'decimal') => {
    const isWrong = faults.includes(name);
    return html`
      <div class="field">
        <label
          >${label}
          <input
            name=${name}
            inputmode=${inputMode}
            autocomplete="off"
            dir="ltr"
            .value=${draft[name]}
            aria-invalid=${isWrong}
            aria-describedby=${isWrong ? `fault-${name} settings-hint` : 'settings-hint'}
            @input=${({ target }: Event) => onInput({ [name]: (target as HTMLInputElement).value })}
          />
        </label>
        <p class="error" id="fault-${name}" aria-live="polite">
          ${isWrong ? html`<span>${messages.settingsFaults[name]}</span>` : nothing}
        </p>
      </div>
    `;
  };
  return html`
    <form
      class="fields"
      @submit=${(event: Event) => {
        event.preventDefault();
        onSave();
      }}
    >
      <div class="pair">
        ${field('retentionDays', messages.retentionDays, 'numeric')}
        ${field('quotaGigabytes', messages.quotaGigabytes, 'decimal')}
      </div>
      <p class="soft" id="settings-hint">${messages.settingsHint}</p>
      <div class="actions"><button ?disabled=${isBusy}>${messages.save}</button></div>
    </form>
  `;
}
