declare const message: unique symbol;

/**
 * A value that another program sent and that nothing has checked: at best a `Message`. The functions below read its
 * fields one by one. TypeScript refuses the name of a field that `Message` does not have, and at run time a field of
 * another kind counts as missing (decision 22).
 */
export interface Unread<Message> {
  readonly [message]: Message;
}

/** The fields of `Value` that may have a value of type `Kind`. If `Value` is not an unread message: any name. */
type Fields<Value, Kind> =
  Value extends Unread<infer Message>
    ? { [Name in keyof Message]-?: MayBe<NonNullable<Message[Name]>, Kind> extends true ? Name : never }[keyof Message]
    : string;

type MayBe<Found, Kind> = Found extends Kind ? true : Kind extends Found ? true : false;

type Lists<Message> = {
  [Name in keyof Message]-?: NonNullable<Message[Name]> extends readonly unknown[] ? Name : never;
}[keyof Message];

type Item<List> = NonNullable<List> extends readonly (infer One)[] ? One : never;

/** Undefined: there is no such field. */
export function field<Message, Name extends keyof Message>(
  value: Unread<Message> | undefined,
  name: Name,
): Unread<NonNullable<Message[Name]>> | undefined;
export function field(value: unknown, name: PropertyKey): unknown {
  return Object(value)[name];
}

/** Undefined: the field is not a string. */
export function text<Value>(value: Value, name: Fields<NonNullable<Value>, string>): string | undefined {
  const found: unknown = Object(value)[name];
  return typeof found === 'string' ? found : undefined;
}

/** Undefined: the field is not a number. */
export function number<Value>(value: Value, name: Fields<NonNullable<Value>, number>): number | undefined {
  const found: unknown = Object(value)[name];
  return typeof found === 'number' ? found : undefined;
}

/** Undefined: the field is not a boolean. */
export function flag<Value>(value: Value, name: Fields<NonNullable<Value>, boolean>): boolean | undefined {
  const found: unknown = Object(value)[name];
  return typeof found === 'boolean' ? found : undefined;
}

/** Empty if the field is not an array. */
export function list<Message, Name extends Lists<Message>>(
  value: Unread<Message> | undefined,
  name: Name,
): readonly Unread<Item<Message[Name]>>[] {
  const found: unknown = Object(value)[name];
  return Array.isArray(found) ? found : [];
}
