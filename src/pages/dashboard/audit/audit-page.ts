import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { auditAction, type AuditAction, type AuditBody } from '../../../wire/management/audit.js';
import { DashboardPage } from '../dashboard-page.js';
import { dateTimeText } from '../formatting.js';
import { pageButtons } from '../page-buttons.js';
import { oneOf, pageNumber } from '../page-query.js';
import { AuditState, changedFields, type AuditPageContent, type ChangedField } from './audit-state.js';
import { actorName, targetName, type EntryName } from './entry-names.js';
import type { AuditMessages } from './messages/audit-messages.js';

/** The changes of the account: who changed what, and when. */
export class AuditPage extends DashboardPage<AuditMessages, AuditPageContent> {
  @state() private action: AuditAction | undefined;
  #state!: AuditState;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#state = new AuditState(this.client, (view) => this.show(view));
    this.follow(this.query);
  }

  protected override follow(query: URLSearchParams): void {
    this.action = oneOf(query, 'action', auditAction.options);
    void this.#state.select(this.action, pageNumber(query));
  }

  protected override render(): TemplateResult {
    const { messages, common } = this;
    return html`
      <h1 tabindex="-1">${common.pages.audit}</h1>
      <p class="soft">${messages.purpose}</p>
      <label class="range"
        >${messages.action}
        <select @change=${this.#select}>
          <option value="" .selected=${this.action === undefined}>${messages.everyAction}</option>
          ${auditAction.options.map(
            (action) =>
              html`<option value=${action} .selected=${action === this.action}>${messages.actions[action]}</option>`,
          )}
        </select>
      </label>
      ${this.outcome()}
      ${this.whenReady(
        (page) => this.#list(page),
        () => this.follow(this.query),
      )}
    `;
  }

  #list(page: AuditPageContent): TemplateResult {
    const { messages, common, language } = this;
    return html`
      <section class="card" aria-label=${common.pages.audit}>
        ${
          page.entries.length === 0
            ? html`<p class="soft">${this.action ? messages.noneFound : messages.none}</p>`
            : html`<ul>
                ${page.entries.map((entry) => this.#entry(entry))}
              </ul>`
        }
        ${pageButtons(page, { messages: common, language }, (page) => this.turn({ action: this.action, page }))}
        ${
          page.entries.length === 0
            ? nothing
            : html`<div class="actions">
                ${this.csvButton(common.pages.audit, 'changes.csv', () => this.#state.csv())}
              </div>`
        }
      </section>
    `;
  }

  #entry(entry: AuditBody): TemplateResult {
    const { messages } = this;
    const { time, action } = entry;
    const actions: Readonly<Record<string, string>> = messages.actions;
    const [actor, target] = [actorName(entry, messages), targetName(entry, messages)];
    const fields = changedFields(entry);
    return html`
      <li>
        <div>
          <h2 class="entry">${actions[action] ?? action}</h2>
          <p class="facts soft">
            <time datetime=${time}>${dateTimeText(time, this.language, 'medium')}</time>
            <span>${named(actor)}</span>
            ${target ? html`<span>${named(target)}</span>` : nothing}
          </p>
        </div>
        ${fields.length > 0 ? this.#fields(fields) : nothing}
      </li>
    `;
  }

  #fields(fields: readonly ChangedField[]): TemplateResult {
    const { messages } = this;
    return html`
      <details>
        <summary>${messages.changedFields}</summary>
        <div class="scroll" tabindex="0" role="group" aria-label=${messages.changedFields}>
          <table>
            <thead>
              <tr>
                <th scope="col">${messages.field}</th>
                <th scope="col">${messages.before}</th>
                <th scope="col">${messages.after}</th>
              </tr>
            </thead>
            <tbody>
              ${fields.map(
                ({ name, before, after }) => html`
                  <tr>
                    <th scope="row"><code dir="ltr">${name}</code></th>
                    <td><bdi>${before ?? '–'}</bdi></td>
                    <td><bdi>${after ?? '–'}</bdi></td>
                  </tr>
                `,
              )}
            </tbody>
          </table>
        </div>
      </details>
    `;
  }

  readonly #select = (event: Event): void => {
    const chosen = auditAction.safeParse((event.currentTarget as HTMLSelectElement).value);
    this.turn({ action: chosen.data });
  };
}

const named = ({ word, name }: EntryName): TemplateResult =>
  html`${word} ${name === undefined ? nothing : html`<strong><bdi>${name}</bdi></strong>`}`;

customElements.define('audit-page', AuditPage);

declare global {
  interface HTMLElementTagNameMap {
    'audit-page': AuditPage;
  }
}
