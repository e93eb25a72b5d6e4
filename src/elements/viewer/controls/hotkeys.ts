export type Hotkey = 'play' | 'mute' | 'fullscreen' | 'pictureInPicture' | 'louder' | 'softer' | 'close';

const HOTKEYS: ReadonlyMap<string, Hotkey> = new Map([
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
 * What a key does in the player. Undefined if the key belongs to the focused element, the page or the browser.
 *
 * @param target the innermost focused element
 */
export function hotkeyOf(
  { key, altKey, ctrlKey, metaKey, defaultPrevented }: PressedKey,
  target: { matches(selectors: string): boolean },
): Hotkey | undefined {
  if (altKey || ctrlKey || metaKey || defaultPrevented) return undefined;
  const textFields = 'textarea,select,[contenteditable],input:not([type=range],[type=radio],[type=checkbox])';
  const ownKeys = key === ' ' ? 'a,button,summary,input' : key.startsWith('Arrow') ? 'input' : undefined;
  if (target.matches(textFields) || (ownKeys && target.matches(ownKeys))) return undefined;
  return HOTKEYS.get(key.length === 1 ? key.toLowerCase() : key);
}

type PressedKey = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'defaultPrevented'>;
