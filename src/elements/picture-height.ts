import { warnOfHeight } from './warnings.js';

/** Height of a picture in pixels. `auto` leaves the choice to the server or to the camera. */
export type PictureHeight = number | 'auto';

/**
 * Converts the value of `quality` and `resolution`, from a property or an attribute: `720`, `'720'`, `'720p'`,
 * `'auto'`. Any other value counts as `auto`, with a warning in the console.
 */
export function toPictureHeight(tag: string, name: string, value: unknown): PictureHeight {
  const height = Number(/^(\d+)p?$/i.exec(String(value))?.[1]);
  if (height > 0) return height;
  if (value && value !== 'auto') warnOfHeight(tag, name, value);
  return 'auto';
}
