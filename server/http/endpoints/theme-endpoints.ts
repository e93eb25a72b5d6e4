import * as z from 'zod/mini';
import { themeBody, updateTheme } from '../../../src/wire/management/theme.js';
import { defineEndpoints, successOf } from './endpoint.js';

const common = { tag: 'Account', access: 'account', path: '/api/account/theme' } as const;

export const themeEndpoints = defineEndpoints({
  get: {
    ...common,
    permission: 'read',
    method: 'get',
    id: 'getTheme',
    summary: 'Show the name, colours and logo of the hosted pages',
    response: successOf(themeBody),
  },
  update: {
    ...common,
    permission: 'account',
    method: 'put',
    id: 'updateTheme',
    summary: 'Change the name, colours or logo of the hosted pages',
    description:
      'Absent fields stay as they are; null removes. Texts on the background are black or white, whichever has more contrast; an accent on which white text could not be read is refused. The logo is a PNG, JPEG or WebP file in base64. Servers show the change within ten seconds.',
    body: updateTheme,
    bodyLimit: 300_000,
    response: successOf(themeBody),
    errors: { 400: ['contrast_too_low', 'logo_too_large', 'logo_unreadable'] },
  },
  reset: {
    ...common,
    permission: 'account',
    method: 'delete',
    id: 'resetTheme',
    summary: 'Give the hosted pages the look of the product again',
    response: successOf(z.literal(true)),
  },
});
