/** The types of the tags in Svelte's markup: `"types": ["streamgate/svelte"]` in the tsconfig of the application. */
export type * from './svelte/tags.js';
