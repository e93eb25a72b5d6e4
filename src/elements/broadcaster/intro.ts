import type { BroadcasterWords } from '../words/words.js';
import type { CaptureController } from './capture-controller.js';
import { spinner } from './spinner.js';
import { h, type Child, type View } from './view.js';

/** What lies over the preview while there is none. */
export const cover = (...content: readonly Child[]): View => h('div', { part: 'cover', class: 'cover' }, ...content);

/** What is to be done before there is anything to see, and why it could not be. */
export function intro(
  words: BroadcasterWords,
  { error, isOpening }: CaptureController,
  allow: () => void,
  otherWay: Child,
): View {
  const [title, next] = words[error?.code ?? 'ready'];
  return cover(
    isOpening
      ? h('span', { role: 'status' }, words.askingForDevices)
      : h('slot', { name: 'intro' }, h('b', {}, title), h('span', { role: error && 'alert' }, next)),
    h(
      'div',
      { class: 'actions' },
      // It stays while the browser asks: whoever pressed it by key must not lose the place.
      h(
        'button',
        { part: 'button', class: 'text bright', 'aria-disabled': String(isOpening), onclick: allow },
        isOpening && spinner,
        error ? words.tryAgain : words.allowDevices,
      ),
      otherWay,
    ),
  );
}
