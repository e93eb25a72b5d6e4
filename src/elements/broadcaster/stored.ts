/** In frames, or with strict browser settings, every access to the storage throws. Undefined: it did. */
export function stored<Result>(access: () => Result): Result | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
