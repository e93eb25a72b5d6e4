import { html, type TemplateResult } from 'lit';
import { recordingStates } from '../../../wire/management/recording.js';
import { oneOf, type PageQuery } from '../page-query.js';
import type { RecordingTexts } from './recording-row.js';
import type { RecordingFilter } from './recordings-state.js';

/** Which recordings the list shows: by stream, and by what became of them. */
export function recordingFilters(
  filter: RecordingFilter,
  onFilter: (filter: RecordingFilter) => void,
  { messages }: RecordingTexts,
): TemplateResult {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const fields = new FormData(event.target as HTMLFormElement);
    const chosen = fields.get('state');
    onFilter({
      streamName: String(fields.get('streamName')).trim(),
      state: recordingStates.find((state) => state === chosen),
    });
  };
  return html`
    <form class="card filters" @submit=${submit}>
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

/** The recordings that an address names. */
export const recordingFilterOf = (query: URLSearchParams): RecordingFilter => ({
  streamName: query.get('stream')?.slice(0, 128) ?? '',
  state: oneOf(query, 'state', recordingStates),
});

export const recordingQueryOf = ({ streamName, state }: RecordingFilter, page = 1): PageQuery => ({
  stream: streamName,
  state,
  page,
});
