import { html } from 'lit';

/** Something is on its way. The words beside it, or the state that it ends in, are for those who cannot see it. */
export const spinner = html`<i class="spinner"></i>`;
