import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { timeZoneText } from '../../scheduled/start-text.js';
import { DashboardPage } from '../dashboard-page.js';
import { forgetForm, keepForm } from '../kept-form.js';
import type { ScheduleMessages } from './messages/schedule-messages.js';
import { faultsOf, keptSchedule, newForm, type ScheduleField, type ScheduleForm } from './schedule-draft.js';

/** The form is saved. */
export class ScheduleSavedEvent extends Event {
  constructor(readonly title: string) {
    super('schedule-saved');
  }
}

/**
 * The form that schedules a stream or changes one. Fires `schedule-saved`, or `editing-cancelled`. Its text survives a
 * login, a reload and a visit to another page.
 */
export class ScheduleEditor extends DashboardPage<ScheduleMessages, object> {
  /** Whether the person began to fill in the form before, and the page was left since. */
  @property({ attribute: false }) isContinued = false;
  /** What the form begins with. Lit sets it again whenever the page renders, so what the person enters is elsewhere. */
  @property({ attribute: false }) form: ScheduleForm = newForm(Date.now());
  @property({ attribute: false }) save: (form: ScheduleForm) => Promise<void> = async () => {};
  /** Whether the person has tried to save: an empty form has no faults before. */
  @state() private isChecked = false;
  @state() private edited: ScheduleForm = this.form;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('form')) this.edited = this.form;
  }

  protected override render(): TemplateResult {
    const { messages, common, edited: form } = this;
    const faults = this.isChecked ? faultsOf(form.draft) : new Set<ScheduleField>();
    const zone = messages.zone(timeZoneText(startOr(form.draft.start), this.language));
    return html`
      <h1 tabindex="-1" dir="auto">
        ${form.id === undefined ? messages.newStream : messages.editThis(form.base.title)}
      </h1>
      ${this.isContinued ? html`<p class="card" role="status">${messages.continued}</p>` : nothing}
      <form class="card fields" novalidate @submit=${this.#submit}>
        ${this.#input('title', { label: messages.title, faults })}
        ${this.#input('streamName', { label: common.streamName, hint: messages.streamNameHint, faults })}
        <div class="pair">
          ${this.#input('start', { label: messages.start, hint: zone, faults, type: 'datetime-local' })}
          ${this.#input('end', { label: messages.end, hint: messages.endHint, faults, type: 'datetime-local' })}
        </div>
        <div class="field">
          <label
            >${messages.description}
            <textarea
              name="description"
              maxlength="1000"
              dir="auto"
              .value=${form.draft.description}
              aria-invalid=${faults.has('description') ? 'true' : 'false'}
              aria-describedby="hint-description fault-description"
              @input=${this.#onInput('description')}
            ></textarea>
          </label>
          <p class="soft hint" id="hint-description">${messages.descriptionHint}</p>
          ${this.#fault('description', faults)}
        </div>
        ${this.changes.alert()}
        <div class="actions">
          <button type="button" @click=${this.#cancel}>${common.cancel}</button>
          <button class="primary" ?disabled=${this.changes.isBusy}>
            ${form.id === undefined ? messages.create : messages.save}
          </button>
        </div>
      </form>
    `;
  }

  protected override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>('h1')?.focus();
  }

  #input(
    field: Exclude<ScheduleField, 'description'>,
    texts: { label: string; hint?: string; type?: 'text' | 'datetime-local'; faults: ReadonlySet<ScheduleField> },
  ): TemplateResult {
    const { label, hint, type = 'text', faults } = texts;
    return html`
      <div class="field">
        <label
          >${label}
          <input
            name=${field}
            type=${type}
            maxlength=${type === 'text' ? 128 : nothing}
            autocomplete="off"
            dir=${type === 'text' ? 'auto' : nothing}
            .value=${this.edited.draft[field]}
            aria-invalid=${faults.has(field) ? 'true' : 'false'}
            aria-describedby=${hint === undefined ? `fault-${field}` : `hint-${field} fault-${field}`}
            @input=${this.#onInput(field)}
          />
        </label>
        ${hint === undefined ? nothing : html`<p class="soft hint" id="hint-${field}">${hint}</p>`}
        ${this.#fault(field, faults)}
      </div>
    `;
  }

  #fault(field: ScheduleField, faults: ReadonlySet<ScheduleField>): TemplateResult {
    return html`
      <p class="error" id="fault-${field}" aria-live="polite">
        ${faults.has(field) ? html`<span>${this.messages.faults[field]}</span>` : nothing}
      </p>
    `;
  }

  #onInput(field: ScheduleField): (event: Event) => void {
    return ({ target }) => {
      const { value } = target as HTMLInputElement | HTMLTextAreaElement;
      this.edited = { ...this.edited, draft: { ...this.edited.draft, [field]: value } };
      keepForm(this.context.accountId, keptSchedule(this.edited));
    };
  }

  readonly #submit = (event: SubmitEvent): void => {
    event.preventDefault();
    this.isChecked = true;
    const { edited: form } = this;
    if (faultsOf(form.draft).size > 0) {
      void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    this.changes.attempt(async () => {
      await this.save(form);
      forgetForm();
      this.dispatchEvent(new ScheduleSavedEvent(form.draft.title.trim()));
    });
  };

  readonly #cancel = (): void => {
    forgetForm();
    this.dispatchEvent(new Event('editing-cancelled'));
  };
}

/** Time zones have names for summer and winter. */
const startOr = (start: string): string => (Number.isNaN(Date.parse(start)) ? new Date().toISOString() : start);

customElements.define('schedule-editor', ScheduleEditor);

declare global {
  interface HTMLElementTagNameMap {
    'schedule-editor': ScheduleEditor;
  }
}
