import { drawIcon, icon, make, set } from './dom.js';

/** @param name part and class of it */
export function iconButton(name: string, path: string, onclick: () => void): HTMLButtonElement {
  return make('button', { type: 'button', part: `button ${name}`, className: name, onclick }, icon(path));
}

/** Named for those who hear it, and for those who point at it. */
export function setButton(button: HTMLButtonElement, label: string, path?: string): void {
  set(button, { ariaLabel: label, title: label });
  if (path) drawIcon(button, path);
}
