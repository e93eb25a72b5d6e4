import { BLACK, colorOf, contrastOf, hexOf, mixed, WHITE, type Color } from './color.js';

/** Of text and what is behind it (WCAG 2.2, 1.4.3). */
export const TEXT_CONTRAST = 4.5;
/** The tags darken the accent by so much, under white text. */
const ACCENT_DARKENED_BY = 0.22;

/** The colours that an account can choose, as `#e5484d`. Null: those of the product. */
export interface ThemeColors {
  readonly accent: string | null;
  readonly background: string | null;
}

/** Why an accent colour is refused. */
export interface AccentFault {
  /** The contrast of white text on it. */
  readonly contrast: number;
  /** A darker colour of the same kind that passes. */
  readonly nearest: string;
}

/** Undefined: white text on the accent can be read. */
export function accentFault(accent: string): AccentFault | undefined {
  const contrast = contrastOf(darkened(colorOf(accent)), WHITE);
  if (contrast >= TEXT_CONTRAST) return undefined;
  for (let share = 0.01; ; share += 0.01) {
    const nearest = hexOf(mixed(colorOf(accent), BLACK, Math.min(1, share)));
    if (contrastOf(darkened(colorOf(nearest)), WHITE) >= TEXT_CONTRAST) return { contrast, nearest };
  }
}

/** The custom properties of the hosted pages and the tags, by name. Every text among them has enough contrast. */
export function themePalette({ accent, background }: ThemeColors): Readonly<Record<string, string>> {
  return { ...(accent && accentPalette(colorOf(accent))), ...(background && groundPalette(colorOf(background))) };
}

function accentPalette(accent: Color): Readonly<Record<string, string>> {
  return {
    '--stream-accent': hexOf(accent),
    '--accent': hexOf(darkened(accent)),
    '--accent-strong': hexOf(mixed(darkened(accent), BLACK, 0.15)),
  };
}

function groundPalette(ground: Color): Readonly<Record<string, string>> {
  const ink = contrastOf(ground, WHITE) >= contrastOf(ground, BLACK) ? WHITE : BLACK;
  // As far from the ink as the ground or farther, so that a text that can be read on the ground can be read here.
  const card = mixed(ground, ink === WHITE ? BLACK : WHITE, 0.3);
  return {
    'color-scheme': ink === WHITE ? 'only dark' : 'only light',
    '--ground': hexOf(ground),
    '--card': hexOf(card),
    '--field': hexOf(card),
    '--ink': hexOf(ink),
    '--soft': softened(ink, ground),
    '--line': hexOf(mixed(ground, ink, 0.25)),
    '--focus': hexOf(ink),
    // The tags have white texts on it.
    ...(ink === WHITE && { '--stream-background': hexOf(mixed(ground, BLACK, 0.5)) }),
    '--stream-panel': hexOf(card),
    '--stream-panel-text': hexOf(ink),
  };
}

/** The ink with as much of the ground as leaves it legible. */
function softened(ink: Color, ground: Color): string {
  for (let share = 0.3; share > 0; share -= 0.05) {
    const soft = mixed(ink, ground, share);
    if (contrastOf(colorOf(hexOf(soft)), ground) >= TEXT_CONTRAST) return hexOf(soft);
  }
  return hexOf(ink);
}

const darkened = (accent: Color): Color => colorOf(hexOf(mixed(accent, BLACK, ACCENT_DARKENED_BY)));
