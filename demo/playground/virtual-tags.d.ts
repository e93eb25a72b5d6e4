declare module 'virtual:tags' {
  import type { Tag } from '../../scripts/editor-data/tag.ts';

  /** As the custom elements manifest has them: see `demo/vite.config.ts`. */
  export const tags: readonly Tag[];
}
