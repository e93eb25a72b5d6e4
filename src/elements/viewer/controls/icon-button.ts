import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../../icons.js';

export interface IconButton {
  /** Its part and its class. */
  readonly name: string;
  readonly path: string;
  readonly label: string;
  readonly act: () => void;
  readonly isHidden?: boolean;
  /** Of one that opens something: whether it is open. */
  readonly isExpanded?: boolean;
}

/** Named for those who hear it, and for those who point at it. Hidden it stays, so that it can come back as it was. */
export const iconButton = ({ name, path, label, act, isHidden, isExpanded }: IconButton): TemplateResult =>
  html`<button
    type="button"
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
