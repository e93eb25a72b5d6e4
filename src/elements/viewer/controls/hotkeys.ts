export type Hotkey = 'play' | 'mute' | 'fullscreen' | 'pictureInPicture' | 'louder' | 'softer' | 'close';

const SHORTCUTS: ReadonlyMap<string, Hotkey> = new Map([
  [' ', 'play'],
  ['k', 'play'],
  ['m', 'mute'],
  ['f', 'fullscreen'],
  ['i', 'pictureInPicture'],
  ['ArrowUp', 'louder'],
  ['ArrowDown', 'softer'],
  ['Escape', 'close'],
]);

/**
 * What a key means to a player. Undefined where it belongs to what has the focus, to the page or to the browser.
 *
 * @param target the innermost element that has the focus
 */
export function hotkeyOf(
  { key, altKey, ctrlKey, metaKey, defaultPrevented }: PressedKey,
  target: { matches(selectors: string): boolean },
): Hotkey | undefined {
  if (altKey || ctrlKey || metaKey || defaultPrevented) return undefined;
  const writes = 'textarea,select,[contenteditable],input:not([type=range],[type=radio],[type=checkbox])';
  const ownKeys = key === ' ' ? 'a,button,summary,input' : key.startsWith('Arrow') ? 'input' : undefined;
  if (target.matches(writes) || (ownKeys && target.matches(ownKeys))) return undefined;
  return SHORTCUTS.get(key.length === 1 ? key.toLowerCase() : key);
}

type PressedKey = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'defaultPrevented'>;
