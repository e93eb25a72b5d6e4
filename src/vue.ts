/** The types of the tags in Vue's templates: `"types": ["streamgate/vue"]` in the tsconfig of the application. */
export type * from './vue/tags.js';
