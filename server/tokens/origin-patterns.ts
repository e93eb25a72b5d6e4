/** A test for "may this page use the token". An empty list permits every page, and callers without one. */
export function originMatcher(patterns: readonly string[]): (origin: string | undefined) => boolean {
  return () => patterns.length === 0;
}
