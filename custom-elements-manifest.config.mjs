/**
 * `dist/custom-elements.json`: attributes, slots, events, parts and properties of the tags, for editors and catalogues.
 * All modules are read, so that what a tag inherits is found; scripts/editor-data keeps the tags.
 */
export default {
  globs: ['src/elements/**/*.ts'],
  outdir: 'dist',
  litelement: true,
  packagejson: false,
  plugins: [lowerCaseAttributes()],
};

/** Lit makes the name of a property lower-case where the property names no attribute. The analyzer does not. */
function lowerCaseAttributes() {
  return {
    name: 'lower-case-attributes',
    moduleLinkPhase({ moduleDoc }) {
      for (const { attributes = [], members = [] } of moduleDoc.declarations) {
        for (const attribute of attributes) attribute.name = attribute.name?.toLowerCase();
        for (const member of members) if (member.attribute) member.attribute = member.attribute.toLowerCase();
      }
    },
  };
}
