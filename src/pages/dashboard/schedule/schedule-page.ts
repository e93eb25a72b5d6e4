import { html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { ScheduledStreamBody } from '../../../wire/management/schedule.js';
import { scheduledState } from '../../../wire/scheduled-stream.js';
import type { TokenBody } from '../../../wire/management/token.js';
import { scheduledLink } from '../../address.js';
import '../../copy-field.js';
import { startText } from '../../scheduled/start-text.js';
import { DashboardPage } from '../dashboard-page.js';
import { keptForm } from '../kept-form.js';
import { pageButtons } from '../page-buttons.js';
import { unreadyContent } from '../page-view.js';
import type { ScheduleMessages } from './messages/schedule-messages.js';
import { formOf, newForm, readScheduleForm, type ScheduleForm } from './schedule-draft.js';
import './schedule-editor.js';
import type { ScheduleSavedEvent } from './schedule-editor.js';
import { ScheduleState, type ScheduleContent, type StreamList } from './schedule-state.js';

type Dialog =
  | {
      readonly name: 'link';
      readonly stream: ScheduledStreamBody;
      readonly tokens: readonly TokenBody[];
      /** The value of the token in the link. Empty: none. */
      readonly token: string;
    }
  | { readonly name: 'delete'; readonly stream: ScheduledStreamBody };

/** The streams that are announced: their times, the links to their pages, and the form. */
export class SchedulePage extends DashboardPage<ScheduleMessages, ScheduleContent> {
  @property({ attribute: false }) accountId = '';
  @property({ attribute: false }) permissions: readonly string[] = [];
  @state() private dialog: Dialog | undefined;
  @state() private editing: ScheduleForm | undefined;
  /** Whether the open form was begun before the page was left, reloaded or logged out. */
  @state() private isContinued = false;
  /** What a change has done, for the person and for screen readers. */
  @state() private done = '';
  #state: ScheduleState | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#state = new ScheduleState(this.client, (view) => this.show(view));
    void this.#state.load();
    this.editing = this.#mayChange ? readScheduleForm(keptForm(this.accountId)) : undefined;
    this.isContinued = this.editing !== undefined;
  }

  protected override render(): TemplateResult {
    const { messages, view, editing } = this;
    if (editing) return this.#editor(editing);
    return html`
      <h1 tabindex="-1">${messages.schedule}</h1>
      <p class="soft">${messages.purpose}</p>
      ${
        this.#mayChange
          ? html`<div class="actions">
              <button class="primary" @click=${() => this.#edit(newForm(Date.now()))}>${messages.newStream}</button>
            </div>`
          : nothing
      }
      ${this.fault && !this.dialog ? html`<p class="card error" role="alert">${this.fault}</p>` : nothing}
      <p role="status" class=${this.done ? 'card is-on' : 'visually-hidden'}>${this.done}</p>
      ${view.name === 'ready' ? this.#content(view) : unreadyContent(view, this.common, () => void this.#state?.load())}
      ${
        this.dialog
          ? html`<dialog aria-labelledby="dialog" @close=${() => this.#open(undefined)}>
              ${this.#dialogContent(this.dialog)}
            </dialog>`
          : nothing
      }
    `;
  }

  #editor(form: ScheduleForm): TemplateResult {
    return html`
      <schedule-editor
        .client=${this.client}
        .messages=${this.messages}
        .common=${this.common}
        .language=${this.language}
        .accountId=${this.accountId}
        .isContinued=${this.isContinued}
        .form=${form}
        .save=${(changed: ScheduleForm) => this.#state!.save(changed)}
        @schedule-saved=${({ title }: ScheduleSavedEvent) => this.#close(this.messages.saved(title))}
        @editing-cancelled=${() => this.#close('')}
      ></schedule-editor>
    `;
  }

  #content({ upcoming, past }: ScheduleContent): TemplateResult {
    const { messages } = this;
    return html`
      <section class="card" aria-labelledby="upcoming">
        <h2 id="upcoming">${messages.upcoming}</h2>
        ${
          upcoming.streams.length === 0
            ? html`<p class="soft">${messages.none}</p>`
            : this.#list(upcoming, (page) => void this.#state?.load({ upcoming: page }))
        }
      </section>
      ${
        past.streams.length === 0
          ? nothing
          : html`<section class="card" aria-labelledby="past">
              <h2 id="past">${messages.past}</h2>
              ${this.#list(past, (page) => void this.#state?.load({ past: page }))}
            </section>`
      }
      ${
        upcoming.total + past.total === 0
          ? nothing
          : html`<div class="actions">
              ${this.csvButton(messages.schedule, 'schedule.csv', () => this.#state!.csv())}
            </div>`
      }
    `;
  }

  #list(list: StreamList, turnTo: (page: number) => void): TemplateResult {
    const { messages, common, language } = this;
    const labels = { before: messages.previous, after: messages.next };
    return html`
      <ul>
        ${repeat(
          list.streams,
          ({ id }) => id,
          (stream) => this.#row(stream),
        )}
      </ul>
      ${pageButtons(list, { messages: common, language, labels }, turnTo)}
    `;
  }

  #row(stream: ScheduledStreamBody): TemplateResult {
    const { messages, language } = this;
    const { title, streamName, startsOn, path } = stream;
    const known = scheduledState.safeParse(stream.state).data;
    return html`
      <li class="stacked">
        <div>
          <h3><bdi>${title}</bdi></h3>
          <p class="facts soft">
            ${known ? html`<span class=${known === 'live' ? 'is-on' : ''}>${messages.states[known]}</span>` : nothing}
            <time datetime=${startsOn}>${startText(stream, language)}</time>
            <bdi>${streamName}</bdi>
          </p>
        </div>
        <div class="actions">
          ${
            known === 'over'
              ? nothing
              : html`
                  <button
                    ?disabled=${this.isBusy}
                    aria-label=${messages.linkOf(title)}
                    @click=${() => this.#link(stream)}
                  >
                    ${messages.link}
                  </button>
                  <a class="button" href=${path} target="_blank" rel="noopener" aria-label=${messages.openThis(title)}
                    >${messages.open}</a
                  >
                  <a class="button" href="${path}.ics" aria-label=${messages.calendarOf(title)}>${messages.calendar}</a>
                `
          }
          ${
            this.#mayChange
              ? html`
                  <button aria-label=${messages.editThis(title)} @click=${() => this.#edit(formOf(stream))}>
                    ${messages.edit}
                  </button>
                  <button
                    class="danger"
                    aria-label=${messages.deleteThis(title)}
                    @click=${() => this.#open({ name: 'delete', stream })}
                  >
                    ${messages.delete}
                  </button>
                `
              : nothing
          }
        </div>
      </li>
    `;
  }

  #dialogContent(dialog: Dialog): TemplateResult {
    const { messages, common } = this;
    const { stream } = dialog;
    if (dialog.name === 'link') {
      const link = scheduledLink(location.origin, stream.id, dialog.token);
      return html`
        <h2 id="dialog" dir="auto">${messages.linkOf(stream.title)}</h2>
        <p class="soft">${messages.linkEffect}</p>
        ${this.#tokenChoice(dialog)}
        <copy-field .messages=${common.copy} .label=${messages.link} .value=${link}></copy-field>
        <div class="actions">
          <form method="dialog"><button class="primary">${common.done}</button></form>
        </div>
      `;
    }
    return html`
      <h2 id="dialog" dir="auto">${messages.deleteQuestion(stream.title)}</h2>
      <p class="soft">${messages.deleteEffect}</p>
      ${this.fault ? html`<p class="error" role="alert">${this.fault}</p>` : nothing}
      <div class="actions">
        <form method="dialog"><button autofocus>${common.cancel}</button></form>
        <button class="primary" ?disabled=${this.isBusy} @click=${() => this.#remove(stream)}>
          ${messages.delete}
        </button>
      </div>
    `;
  }

  #tokenChoice(dialog: Extract<Dialog, { name: 'link' }>): TemplateResult {
    const { messages } = this;
    const { tokens, token } = dialog;
    if (tokens.length === 0) return html`<p class="soft">${messages.noTokens}</p>`;
    const choices = [
      { value: '', text: messages.noToken },
      ...tokens.map((one) => ({ value: one.token, text: `${one.id} · ${one.label}` })),
    ];
    return html`
      <div class="fields">
        <label
          >${messages.token}
          <select
            aria-describedby="token-effect"
            @change=${({ target }: Event) => {
              const chosen = choices[(target as HTMLSelectElement).selectedIndex];
              this.dialog = { ...dialog, token: chosen?.value ?? '' };
            }}
          >
            ${choices.map(({ value, text }) => html`<option .selected=${value === token}>${text}</option>`)}
          </select>
        </label>
        <p class="soft" id="token-effect">${messages.tokenEffect}</p>
      </div>
    `;
  }

  get #mayChange(): boolean {
    return this.permissions.includes('streams');
  }

  #link(stream: ScheduledStreamBody): void {
    this.attempt(async () => {
      const tokens = await this.#state!.tokensFor(stream.streamName, Date.parse(stream.startsOn));
      this.#open({ name: 'link', stream, tokens, token: '' });
    });
  }

  #edit(form: ScheduleForm): void {
    this.#open(undefined);
    this.editing = form;
  }

  #remove({ id, title }: ScheduledStreamBody): void {
    this.attempt(async () => {
      await this.#state!.remove(id);
      this.#open(undefined);
      this.done = this.messages.deleted(title);
    });
  }

  #close(done: string): void {
    this.editing = undefined;
    this.isContinued = false;
    this.#open(undefined);
    this.done = done;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('h1')?.focus());
  }

  #open(dialog: Dialog | undefined): void {
    this.fault = '';
    this.done = '';
    this.dialog = dialog;
  }
}

customElements.define('schedule-page', SchedulePage);

declare global {
  interface HTMLElementTagNameMap {
    'schedule-page': SchedulePage;
  }
}
