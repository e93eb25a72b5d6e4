import * as z from 'zod/mini';
import { name } from '../text.js';

/** The largest logo, in bytes. */
export const MAX_LOGO_BYTES = 200_000;

export const logoType = z.enum(['image/png', 'image/jpeg', 'image/webp']);

export type LogoType = z.infer<typeof logoType>;

export const themeColor = z.string().check(z.regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #e5484d'));

/** The bytes of a PNG, JPEG or WebP file, in base64. */
const logo = z
  .base64()
  .check(z.maxLength(Math.ceil(MAX_LOGO_BYTES / 3) * 4, `must be at most ${MAX_LOGO_BYTES} bytes`));

/** Body of `PUT /api/account/theme`. Absent fields stay as they are; null removes. */
export const updateTheme = z
  .strictObject({
    name: z.optional(z.nullable(name(60))),
    accent: z.optional(z.nullable(themeColor)),
    background: z.optional(z.nullable(themeColor)),
    logo: z.optional(z.nullable(logo)),
  })
  .check(z.refine<object>((change) => Object.keys(change).length > 0, 'names no field to change'));

export type UpdateTheme = z.infer<typeof updateTheme>;

/** How the hosted pages of an account look. Null: as the product. */
export const themeBody = z.looseObject({
  name: z.nullable(z.string()),
  /** As `#e5484d`. */
  accent: z.nullable(z.string()),
  background: z.nullable(z.string()),
  logo: z.nullable(
    z.looseObject({
      /** A `logoType`. */
      type: z.string(),
      bytes: z.int(),
      /** Where the image is, on this server. It changes with the image. */
      path: z.string(),
    }),
  ),
});

export type ThemeBody = z.infer<typeof themeBody>;
