import type { LitElement } from 'lit';
import type { HTMLAttributes, ReactNode, Ref } from 'react';

/** `streamName` becomes `stream-name`. */
type Kebab<Name extends string> = Name extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `-${Lowercase<Head>}`}${Kebab<Rest>}`
  : Name;

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type IsWritable<Host, Key extends keyof Host> = Same<{ [K in Key]: Host[Key] }, { -readonly [K in Key]: Host[Key] }>;

/** The names of what can be set on a tag of ours: no methods, nothing that only can be read, nothing that every element has. */
type SettableKey<Host> = {
  [Key in keyof Host]: Key extends keyof LitElement
    ? never
    : Host[Key] extends (...args: never[]) => unknown
      ? never
      : IsWritable<Host, Key> extends true
        ? Key
        : never;
}[keyof Host];

type Settable<Host> = { [Key in SettableKey<Host>]?: Host[Key] | undefined };

type EventOf<Name> = Name extends keyof HTMLElementEventMap ? HTMLElementEventMap[Name] : Event;

/** The names of events by those of their handlers: `onStreamLive: 'stream-live'`. */
export type Handlers = Readonly<Record<`on${string}`, string>>;

/** What a component takes: the properties of its tag, handlers of its events, and what all elements take. */
export type Props<Host, Events extends Handlers> = Settable<Host> & {
  readonly [Handler in keyof Events]?: ((event: EventOf<Events[Handler]>) => void) | undefined;
} & Omit<HTMLAttributes<Host>, keyof Events | keyof Settable<Host>> & {
    readonly ref?: Ref<Host> | undefined;
    readonly children?: ReactNode;
  };

type AttributeOf<Value> = Value extends string | number | boolean ? Value : never;

/** What the plain tag takes in JSX: attributes by their own names, properties, and its events as `onstream-live`. */
export type TagProps<Host, Events extends Handlers> = Settable<Host> & {
  [Key in SettableKey<Host> & string as [AttributeOf<NonNullable<Host[Key]>>] extends [never] ? never : Kebab<Key>]?:
    AttributeOf<NonNullable<Host[Key]>> | undefined;
} & {
  [Name in Extract<Events[keyof Events], string> as `on${Name}`]?: ((event: EventOf<Name>) => void) | undefined;
} & Omit<HTMLAttributes<Host>, keyof Settable<Host>> & {
    readonly ref?: Ref<Host> | undefined;
    readonly key?: string | number | bigint | null | undefined;
    readonly class?: string | undefined;
    readonly children?: ReactNode;
  };
