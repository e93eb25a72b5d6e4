/**
 * `make`, but what it made of a key is given again to whoever asks with the same, as long as anybody still has it.
 * Tokens are made by the thousand with the same patterns and ranges; compiled, these are the dearest part of a token,
 * to make and to keep.
 */
export function weakMemoize<Value extends object>(make: (key: string) => Value): (key: string) => Value {
  const made = new Map<string, WeakRef<Value>>();
  const forgotten = new FinalizationRegistry<string>((key) => {
    // Somebody may have asked again in between.
    if (made.get(key)?.deref() === undefined) made.delete(key);
  });
  return (key) => {
    const known = made.get(key)?.deref();
    if (known) return known;
    const value = make(key);
    made.set(key, new WeakRef(value));
    forgotten.register(value, key);
    return value;
  };
}
