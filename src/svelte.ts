/** What Svelte's markup knows of the tags. Types alone: `"types": ["streamgate/svelte"]` in the application's tsconfig. */
export type * from './svelte/tags.js';
