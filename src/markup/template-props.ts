import type { LitElement } from 'lit';

// What templates of any framework may contain on a tag. Types only: no bundle contains any of this.

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type IsWritable<Host, Key extends keyof Host> = Same<{ [K in Key]: Host[Key] }, { -readonly [K in Key]: Host[Key] }>;

/** The names of the properties that a tag adds to those of every element and that can be set. Methods are left out. */
type SettableKey<Host> = {
  [Key in keyof Host]: Key extends keyof LitElement
    ? never
    : Host[Key] extends (...args: never[]) => unknown
      ? never
      : IsWritable<Host, Key> extends true
        ? Key
        : never;
}[keyof Host];

/** The properties of a tag. All are optional. */
export type Settable<Host> = { [Key in SettableKey<Host>]?: Host[Key] | undefined };

type AttributeOf<Value> = Value extends string | number | boolean ? Value : never;

/** The attributes of a tag. `Names` has the property that each attribute sets (attribute-names.ts). */
export type Attributes<Host, Names> = {
  [Name in keyof Names]?: AttributeOf<NonNullable<Host[Names[Name] & keyof Host]>> | undefined;
};

/** The type of an event by its name. The tag dispatches the events of its video as plain `Event` objects. */
export type EventOf<Name> = Name extends keyof HTMLElementEventMap & `stream-${string}`
  ? HTMLElementEventMap[Name]
  : Event;
