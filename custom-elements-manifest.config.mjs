/** `dist/custom-elements.json`: attributes, slots, events, parts and properties of the tags, for editors and catalogues. */
export default {
  globs: ['src/elements/**/*-element.ts'],
  outdir: 'dist',
  litelement: true,
  packagejson: false,
};
