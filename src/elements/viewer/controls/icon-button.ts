import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../../icons.js';

export interface IconButton {
  /** Part and class of the button. */
  readonly name: string;
  /** The path of the icon, and the label. */
  readonly face: readonly [path: string, label: string];
  readonly act: () => void;
  readonly isHidden?: boolean;
  /** Of a button that opens a menu: whether the menu is open. */
  readonly isExpanded?: boolean;
}

/** A button with an icon, and with a label for screen readers and as a tooltip. Hidden, it stays in the document. */
export const iconButton = ({ name, face: [path, label], act, isHidden, isExpanded }: IconButton): TemplateResult =>
  html`<button
    part="button ${name}"
    class=${name}
    title=${label}
    aria-label=${label}
    aria-expanded=${isExpanded ?? nothing}
    ?hidden=${isHidden}
    @click=${act}
  >
    ${icon(path)}
  </button>`;
