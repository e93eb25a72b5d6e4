declare module 'virtual:tags' {
  import type { Tag } from '../../scripts/editor-data/tag.ts';

  /** The tags of the custom elements manifest. `demo/vite.config.ts` provides this module. */
  export const tags: readonly Tag[];
}
