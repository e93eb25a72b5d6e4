/** What Vue's templates know of the tags. Types alone: `"types": ["streamgate/vue"]` in the application's tsconfig. */
export type * from './vue/tags.js';
