import { h } from './view.js';

/** Something is on its way. The words beside it, or the state that it ends in, are for those who cannot see it. */
export const spinner = h('i', { class: 'spinner' });
