/**
 * Looks into what came over the wire, whatever it is: each answers what was looked for, or undefined. The schemas in
 * `wire` say the same with reasons, and cost a page 4 kB more; test/client/decode.test.ts holds the two together.
 */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

export function text(value: unknown, name: string): string | undefined {
  const found = field(value, name);
  return typeof found === 'string' ? found : undefined;
}

export function number(value: unknown, name: string): number | undefined {
  const found = field(value, name);
  return typeof found === 'number' ? found : undefined;
}

/** Empty where there is no list. */
export function list(value: unknown, name: string): readonly unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}
