// Generated from en.json by `npm run generate`. Do not edit.
import type { AppearanceMessages } from './appearance-messages.js';

export const en: AppearanceMessages = {
  appearance: 'Appearance',
  purpose: 'How the hosted pages for viewers and broadcasters look. Links that others share show the name and the logo.',
  name: 'Name',
  nameHint: 'The title of the pages, such as the name of your company.',
  colors: { accent: 'Accent colour', background: 'Background colour' },
  colorHints: {
    accent: 'Of the live badge and of buttons. Empty: that of the product.',
    background: 'Of the pages. Texts on it are black or white, whichever is easier to read. Empty: that of the product.',
  },
  choose: (field) => `Choose: ${field}`,
  notAColor: 'Enter a colour such as #e5484d.',
  tooPale: (found, needed, nearest) => `White text on it is hard to read: contrast ${found}, needed ${needed}. ${nearest} is the nearest colour that works.`,
  save: 'Save',
  saved: 'Saved. The pages change within ten seconds.',
  reset: 'Reset',
  wasReset: 'The pages look like the product again.',
  logo: 'Logo',
  logoHint: 'A PNG, JPEG or WebP image. Large images are made smaller.',
  noLogo: 'There is no logo.',
  addLogo: 'Choose an image',
  replaceLogo: 'Choose another image',
  removeLogo: 'Remove the logo',
  unreadableLogo: 'This file is no image that can be used. Choose a PNG, JPEG or WebP file.',
  preview: 'Preview',
  sampleText: 'The stream has not started yet.',
  sampleBadge: 'Live',
  sampleButton: 'Go live',
};
