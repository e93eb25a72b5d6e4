/** A test for "may this address use the token". An empty list permits every address. */
export function addressMatcher(ranges: readonly string[]): (address: string) => boolean {
  return () => ranges.length === 0;
}
