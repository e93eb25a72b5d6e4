/**
 * Memoizes `make` for as long as the value of a key is referenced. Thousands of tokens have the same
 * patterns and ranges, and the compiled matchers cost most of a token's time and memory.
 */
export function weakMemoize<Value extends object>(make: (key: string) => Value): (key: string) => Value {
  const values = new Map<string, WeakRef<Value>>();
  const registry = new FinalizationRegistry<string>((key) => {
    // The key may have a new value by now.
    if (values.get(key)?.deref() === undefined) values.delete(key);
  });
  return (key) => {
    const known = values.get(key)?.deref();
    if (known) return known;
    const value = make(key);
    values.set(key, new WeakRef(value));
    registry.register(value, key);
    return value;
  };
}
