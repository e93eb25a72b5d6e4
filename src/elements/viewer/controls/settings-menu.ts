import { html, type TemplateResult } from 'lit';
import type { ViewerMessages } from '../../i18n/messages.js';
import { SETTINGS } from '../../icons.js';
import { iconButton } from './icon-button.js';

export interface MenuActions {
  toggleMenu(): void;
  /** The visitor reaches for the menu. */
  reached(): void;
  /** The focus moved away from an element of the menu. */
  left(event: FocusEvent): void;
}

/** The settings button, and the settings that it opens. */
export function settingsMenu(
  isOpen: boolean,
  menu: TemplateResult | undefined,
  { settings }: ViewerMessages,
  { toggleMenu, reached, left }: MenuActions,
): TemplateResult {
  return html`<span class="settings" @pointerenter=${reached} @focusin=${reached} @focusout=${left}>
    ${iconButton({ name: 'settings-button', face: [SETTINGS, settings], act: toggleMenu, isExpanded: isOpen })} ${menu}
  </span>`;
}
