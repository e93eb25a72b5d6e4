import type { BroadcasterPhase } from '../../client/broadcaster-phase.js';
import type { WordsController } from '../words/words-controller.js';
import type { BroadcasterWords } from '../words/words.js';
import { eyeIcon } from './device-icons.js';
import { clockTime } from './seconds-controller.js';
import { spinner } from './spinner.js';
import { h, type Child, type View } from './view.js';

/** That it is live, for how long, and how many watch. */
export function onAir(words: WordsController<BroadcasterWords>, phase: BroadcasterPhase): readonly Child[] {
  const said = words.current;
  const air = phase.name === 'live' ? phase : phase.name === 'reconnecting' ? phase.onAir : undefined;
  const isLive = phase.name === 'live';
  return [
    h(
      'span',
      { role: 'status' },
      isLive && h('span', { part: 'badge', class: 'badge live' }, said.live),
      phase.name === 'reconnecting' && h('span', { class: 'badge' }, spinner, said.reconnecting),
    ),
    air &&
      h('span', { class: 'badge', role: 'timer', 'aria-label': said.timeOnAir }, clockTime(Date.now() - air.since)),
    isLive && audience(words, phase.viewers),
  ];
}

function audience(words: WordsController<BroadcasterWords>, count: number): View {
  const shown = words.number(count);
  return h(
    'span',
    { part: 'viewers', class: 'badge' },
    eyeIcon,
    h('span', { 'aria-hidden': 'true' }, shown),
    h('span', { class: 'told' }, words.current.watching(count, shown)),
  );
}
