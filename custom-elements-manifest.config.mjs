/**
 * `dist/custom-elements.json`: attributes, slots, events, parts and properties of the tags, for editors and catalogues.
 * All modules are read, so that what a tag inherits is found; scripts/editor-data keeps the tags.
 */
export default {
  globs: ['src/elements/**/*.ts'],
  outdir: 'dist',
  litelement: true,
  packagejson: false,
};
