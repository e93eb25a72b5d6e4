import { nothing, type TemplateResult } from 'lit';
import { errorMessage } from '../../i18n/messages.js';
import { clock, isLoading, lengthOf, timeOf, type RewindState } from './rewind-state.js';
import { fromBeginning, timeline, timelineNotice, type RewindText, type TimelineActions } from './timeline.js';

/** What the visitor watches. */
export interface Watched {
  readonly state: RewindState;
  /** Where the visible picture of the recording is, in seconds. */
  readonly time: number;
  /** Whether the stream is. */
  readonly isLive: boolean;
  readonly speed: number;
  /** Where the slider is held, in seconds: it stays there, whatever plays meanwhile. */
  readonly held: number | undefined;
}

/** The bar of the timeline, or what stands in its place. */
export function rewindBar(
  watched: Watched,
  text: RewindText,
  actions: TimelineActions,
  preview: HTMLElement,
): TemplateResult | typeof nothing {
  const { state, speed, held } = watched;
  const messages = text.current;
  if (state.name === 'refused') {
    return timelineNotice(errorMessage(messages, state.code, state.sentence, state.sentence)[0]);
  }
  if (state.name === 'absent') return nothing;
  if (state.name === 'unplayable') return timelineNotice(messages.noRewind);
  const { isLive } = state.address;
  const isGrowing = isLive && watched.isLive;
  const isAway = state.name !== 'ready';
  if (!isAway && !isGrowing) return fromBeginning(messages.fromBeginning, () => actions.seek(0));
  const length = lengthOf(state.address, performance.now());
  const time = held ?? timeOf(state, length, watched.time);
  const behind = isAway || held !== undefined ? Math.max(0, length - time) : 0;
  return timeline(
    {
      time,
      length,
      shown: isLive ? (behind > 0 ? `-${clock(behind)}` : clock(length)) : `${clock(time)} / ${clock(length)}`,
      spoken: isLive ? spokenBehind(behind, text) : clock(time),
      isLive: isGrowing,
      isBehind: isAway,
      isLoading: isLoading(state),
      speed,
    },
    text,
    actions,
    preview,
  );
}

/** As `3 minutes behind live`. */
function spokenBehind(seconds: number, text: RewindText): string {
  if (seconds < 1) return text.current.live;
  const [count, unit] = seconds < 60 ? [Math.round(seconds), 'second'] : [Math.round(seconds / 60), 'minute'];
  return text.current.behindLive(count, text.number(count, { style: 'unit', unit, unitDisplay: 'long' }));
}
