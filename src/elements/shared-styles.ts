import { unsafeCSS } from 'lit';
import { sharedCss } from './shared-css.js';

export const sharedStyles = unsafeCSS(sharedCss);
