/** Red, green and blue, each 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

export const WHITE: Color = [255, 255, 255];
export const BLACK: Color = [0, 0, 0];

/** @param hex as `#e5484d` */
export function colorOf(hex: string): Color {
  const part = (start: number): number => parseInt(hex.slice(start, start + 2), 16);
  return [part(1), part(3), part(5)];
}

/** As `#e5484d`. */
export function hexOf(color: Color): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** @param share of `other` in the mixture, 0 to 1, as in `color-mix(in srgb, …)` */
export function mixed([red, green, blue]: Color, other: Color, share: number): Color {
  const mix = (from: number, to: number): number => from + (to - from) * share;
  return [mix(red, other[0]), mix(green, other[1]), mix(blue, other[2])];
}

/** The contrast of two colours, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastOf(one: Color, other: Color): number {
  const [lighter, darker] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a);
  return (lighter! + 0.05) / (darker! + 0.05);
}

/** WCAG 2.2, "relative luminance". */
function luminanceOf([red, green, blue]: Color): number {
  const linear = (part: number): number =>
    part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
