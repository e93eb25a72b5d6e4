import { nothing, type TemplateResult } from 'lit';
import type { MessagesController } from '../../i18n/messages-controller.js';
import { errorMessage, type RewindMessages, type ViewerMessages } from '../../i18n/messages.js';
import { clock, isLoading, lengthOf, timeOf, type RewindState } from './rewind-state.js';
import { fromBeginning, timeline, timelineNotice } from './timeline.js';

type RewindText = MessagesController<ViewerMessages & RewindMessages>;

/** What the visitor watches. */
export interface Watched {
  readonly state: RewindState;
  /** Of `performance.now()`, in milliseconds. */
  readonly now: number;
  /** Where the visible picture of the recording is, in seconds. */
  readonly playedTo: number;
  readonly isStreamLive: boolean;
  readonly speed: number;
}

export interface RewindActions {
  /** @param time in seconds */
  seek(time: number): void;
  setSpeed(speed: number): void;
  goLive(): void;
}

/** The bar of the timeline, or what stands in its place. */
export function rewindBar(watched: Watched, text: RewindText, actions: RewindActions): TemplateResult | typeof nothing {
  const { state, now, playedTo, isStreamLive, speed } = watched;
  const messages = text.current;
  if (state.name === 'refused') {
    return timelineNotice(errorMessage(messages, state.code, state.sentence, state.sentence)[0]);
  }
  if (state.name === 'absent') return nothing;
  if (state.name === 'unplayable') return timelineNotice(messages.noRewind);
  const { isLive } = state.address;
  const isAway = state.name !== 'ready';
  if (!isAway && !(isLive && isStreamLive)) return fromBeginning(messages.fromBeginning, () => actions.seek(0));
  const length = lengthOf(state.address, now);
  const time = timeOf(state, length, playedTo);
  const behind = Math.max(0, length - time);
  return timeline(
    {
      time,
      length,
      shown: isLive ? (isAway ? `-${clock(behind)}` : clock(length)) : `${clock(time)} / ${clock(length)}`,
      spoken: isLive ? spokenBehind(isAway ? behind : 0, text) : clock(time),
      isLive: isLive && isStreamLive,
      isBehind: isAway,
      isLoading: isLoading(state),
      speed,
      formatSpeed: (one) => `${text.number(one)}×`,
    },
    messages,
    {
      seek: ({ currentTarget }) => actions.seek((currentTarget as HTMLInputElement).valueAsNumber),
      setSpeed: ({ currentTarget }) => actions.setSpeed(Number((currentTarget as HTMLSelectElement).value)),
      goLive: () => actions.goLive(),
    },
  );
}

/** As `3 minutes behind live`. */
function spokenBehind(seconds: number, text: RewindText): string {
  const messages = text.current;
  if (seconds < 1) return messages.live;
  const [count, unit] = seconds < 60 ? [Math.round(seconds), 'second'] : [Math.round(seconds / 60), 'minute'];
  return messages.behindLive(count, text.number(count, { style: 'unit', unit, unitDisplay: 'long' }));
}
