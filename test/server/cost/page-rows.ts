import fc from 'fast-check';
import { readImageSize } from '../../../server/accounts/theme/image-size.js';
import { NO_THEME, logoTypeOf } from '../../../server/accounts/theme/theme.js';
import { ThemeService } from '../../../server/accounts/theme/theme-service.js';
import { pageHead } from '../../../server/http/pages/page-head.js';
import { PageTemplate } from '../../../server/http/pages/page-template.js';
import { MAX_LOGO_BYTES } from '../../../src/wire/management/theme.js';
import { readScheduledAddress, readViewerAddress, viewerLink } from '../../../src/wire/viewer-address.js';
import { costRow, MB, repeated, repeatedBytes, type CheckedRow } from '../../support/cost.js';

/** Node takes no more of headers and URL together (`--max-http-header-size`). */
const MAX_HEAD = 16 * 1024;
const ORIGIN = 'https://live.example.com';

const template = new PageTemplate('<html><head><link rel="icon" /><title>x</title></head><body></body></html>');

const themes = new ThemeService({
  find: async () => undefined,
  update: async (_account, { name = null, accent = null, background = null, logo = null }) => ({
    ...NO_THEME,
    name,
    accent,
    background,
    logo,
  }),
  remove: async () => true,
});

export const pageRows: readonly CheckedRow[] = [
  costRow({
    name: 'the link of a viewer page, and the page of its stream',
    parsers: [
      'src/wire/viewer-address.ts readViewerAddress, viewerLink',
      'server/http/pages/page-head.ts pageHead',
      'server/http/pages/page-template.ts PageTemplate',
    ],
    limit: MAX_HEAD,
    inputs: fc.oneof(
      repeated(fc.constantFrom('a', '%22', '%3C', '&', '%26', '/', '?token=', '%00', '%F0%9F%8E%A5', '+', 'é'), {
        before: '/viewer?streamId=main/',
      }),
      repeated(fc.constantFrom('streamId=main/a&', 'token=a&', '&', 'a=b&', '%', '='), { before: '/viewer?' }),
      repeated(fc.constantFrom('a', '/', '%2F', '..', '-'), { before: '/scheduled/' }),
    ),
    read(path) {
      const url = new URL(path, ORIGIN);
      const address = readViewerAddress(url);
      if (!address) return readScheduledAddress(url);
      const shared = { title: address.streamName, url: viewerLink(ORIGIN, address), origin: ORIGIN };
      const head = pageHead({ accountId: address.accountId, theme: NO_THEME, shared });
      return [template.gzip(head), template.plain(head)];
    },
    // Node keeps two texts for each parameter of a URL, and deflate has a window of 256 kB.
    fixedMemory: 0.5 * MB,
  }),
  costRow({
    name: 'the image of a theme',
    parsers: ['server/accounts/theme/theme.ts logoTypeOf', 'server/accounts/theme/theme-service.ts ThemeService'],
    limit: Math.ceil(MAX_LOGO_BYTES / 3) * 4,
    inputs: fc.oneof(
      repeated('AAAA', { before: Buffer.from('\x89PNG\r\n\x1a\n?', 'latin1').toString('base64') }),
      repeated(fc.constantFrom('/9j/', 'A', '=', ' ', '\n', '-_', 'é')),
    ),
    read: (logo) => themes.update('main', { logo }),
  }),
  costRow({
    name: 'the bytes of an image of a theme',
    parsers: ['server/accounts/theme/theme.ts logoTypeOf', 'server/accounts/theme/image-size.ts readImageSize'],
    limit: MAX_LOGO_BYTES,
    inputs: fc.oneof(
      repeatedBytes(Buffer.from('RIFFWEBP')),
      // Fill bytes, segments without content, and long ones.
      repeatedBytes(
        fc.constantFrom(Buffer.from([0xff]), Buffer.from([0xff, 0xfe, 0, 2]), Buffer.from([0xff, 0xe0, 0x10, 0])),
        () => Buffer.from([0xff, 0xd8, 0xff]),
      ),
    ),
    read: (bytes) => {
      const type = logoTypeOf(bytes);
      return type && readImageSize(type, bytes);
    },
  }),
];
