import { html, nothing, type TemplateResult } from 'lit';
import type { ScheduledStreamBody } from '../../../wire/management/schedule.js';
import { scheduledState } from '../../../wire/scheduled-stream.js';
import { startText } from '../../scheduled/start-text.js';
import type { ScheduleMessages } from './messages/schedule-messages.js';
import type { PageTexts } from '../page-context.js';

interface RowActions {
  readonly isBusy: boolean;
  readonly onLink: () => void;
  /** Undefined: the person may only look. */
  readonly change: { readonly onEdit: () => void; readonly onDelete: () => void } | undefined;
}

/** One scheduled stream in the list. */
export function scheduleRow(
  stream: ScheduledStreamBody,
  { isBusy, onLink, change }: RowActions,
  { messages, common, language }: PageTexts<ScheduleMessages>,
): TemplateResult {
  const { streamName, startsOn, path, fault } = stream;
  const title = stream.title || stream.id;
  const known = scheduledState.safeParse(stream.state).data;
  return html`
    <li class="stacked">
      <div>
        <h3><bdi>${title}</bdi></h3>
        <p class="facts soft">
          ${fault ? html`<span class="is-off">${common.unreadable}</span>` : nothing}
          ${known && !fault ? html`<span class=${known === 'live' ? 'is-on' : ''}>${messages.states[known]}</span>` : nothing}
          ${fault ? nothing : html`<time datetime=${startsOn}>${startText(stream, language)}</time>`}
          <bdi>${streamName}</bdi>
        </p>
      </div>
      <div class="actions">
        ${
          known === 'over' || fault
            ? nothing
            : html`
                <button ?disabled=${isBusy} aria-label=${messages.linkOf(title)} @click=${onLink}>
                  ${messages.link}
                </button>
                <a class="button" href=${path} target="_blank" rel="noopener" aria-label=${messages.openThis(title)}
                  >${messages.open}</a
                >
                <a class="button" href="${path}.ics" aria-label=${messages.calendarOf(title)}>${messages.calendar}</a>
              `
        }
        ${
          change
            ? html`
                ${
                  fault
                    ? nothing
                    : html`<button aria-label=${messages.editThis(title)} @click=${change.onEdit}>
                        ${messages.edit}
                      </button>`
                }
                <button class="danger" aria-label=${messages.deleteThis(title)} @click=${change.onDelete}>
                  ${messages.delete}
                </button>
              `
            : nothing
        }
      </div>
    </li>
  `;
}
