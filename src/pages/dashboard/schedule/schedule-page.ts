import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { ScheduledStreamBody } from '../../../wire/management/schedule.js';
import { DashboardPage } from '../dashboard-page.js';
import { keptForm } from '../kept-form.js';
import { pageButtons } from '../page-buttons.js';
import { pageNumber } from '../page-query.js';
import type { ScheduleMessages } from './messages/schedule-messages.js';
import { scheduleDialog, type ScheduleDialog } from './schedule-dialog.js';
import { formOf, newForm, readScheduleForm, type ScheduleForm } from './schedule-draft.js';
import './schedule-editor.js';
import type { ScheduleSavedEvent } from './schedule-editor.js';
import { scheduleRow } from './schedule-row.js';
import { ScheduleState, type ScheduleContent, type StreamList } from './schedule-state.js';

/** The streams that are announced: their times, the links to their pages, and the form. */
export class SchedulePage extends DashboardPage<ScheduleMessages, ScheduleContent, ScheduleDialog> {
  @state() private editing: ScheduleForm | undefined;
  /** Whether the open form was begun before the page was left, reloaded or logged out. */
  @state() private isContinued = false;
  #state!: ScheduleState;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#state = new ScheduleState(this.client, (view) => this.show(view));
    this.follow(this.query);
    this.editing = this.#mayChange ? readScheduleForm(keptForm(this.context.accountId)) : undefined;
    this.isContinued = this.editing !== undefined;
  }

  protected override follow(query: URLSearchParams): void {
    void this.#state.load({ upcoming: pageNumber(query), past: pageNumber(query, 'past') });
  }

  protected override render(): TemplateResult {
    const { messages, editing, changes, texts } = this;
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
      ${this.outcome()}
      ${this.whenReady(
        (content) => this.#content(content),
        () => this.follow(this.query),
      )}
      ${this.dialog.render((dialog) =>
        scheduleDialog(
          dialog,
          {
            changes,
            onToken: (link, token) => this.dialog.replace(link, { ...link, token }),
            onDelete: (stream) => this.#remove(stream),
          },
          texts,
        ),
      )}
    `;
  }

  #editor(form: ScheduleForm): TemplateResult {
    return html`
      <schedule-editor
        .context=${this.context}
        .messages=${this.messages}
        .isContinued=${this.isContinued}
        .form=${form}
        .save=${(changed: ScheduleForm) => this.#state.save(changed)}
        @schedule-saved=${({ title }: ScheduleSavedEvent) => {
          this.#close();
          this.changes.tell(this.messages.saved(title));
        }}
        @editing-cancelled=${() => this.#close()}
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
            : this.#list(upcoming, (page) => this.#turnTo(page, past.page))
        }
      </section>
      ${
        past.streams.length === 0
          ? nothing
          : html`<section class="card" aria-labelledby="past">
              <h2 id="past">${messages.past}</h2>
              ${this.#list(past, (page) => this.#turnTo(upcoming.page, page))}
            </section>`
      }
      ${
        upcoming.total + past.total === 0
          ? nothing
          : html`<div class="actions">
              ${this.csvButton(messages.schedule, 'schedule.csv', () => this.#state.csv())}
            </div>`
      }
    `;
  }

  #turnTo(page: number, past: number): void {
    this.turn({ page, past: past === 1 ? undefined : past });
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
    return scheduleRow(
      stream,
      {
        isBusy: this.changes.isBusy,
        onLink: () => this.#link(stream),
        change: this.#mayChange
          ? {
              onEdit: () => this.#edit(formOf(stream)),
              onDelete: () => void this.dialog.open({ name: 'delete', stream }),
            }
          : undefined,
      },
      this.texts,
    );
  }

  get #mayChange(): boolean {
    return this.may('streams');
  }

  #link(stream: ScheduledStreamBody): void {
    this.changes.attempt(async () => {
      const [tokens, isPrivate] = await Promise.all([
        this.#state.tokensFor(stream.streamName, Date.parse(stream.startsOn)),
        this.#state.isPrivate(stream.streamName),
      ]);
      this.dialog.open({ name: 'link', stream, tokens, isPrivate, token: '' });
    });
  }

  #edit(form: ScheduleForm): void {
    this.dialog.close();
    this.editing = form;
  }

  #remove({ id, title }: ScheduledStreamBody): void {
    this.changes.attempt(async () => {
      await this.#state.remove(id);
      this.dialog.close();
      return this.messages.deleted(title);
    });
  }

  #close(): void {
    this.editing = undefined;
    this.isContinued = false;
    this.changes.forget();
    this.focusHeading();
  }
}

customElements.define('schedule-page', SchedulePage);

declare global {
  interface HTMLElementTagNameMap {
    'schedule-page': SchedulePage;
  }
}
