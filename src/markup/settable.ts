import type { LitElement } from 'lit';

/** What templates of frameworks may say of a tag, whichever framework it is. Types alone: nothing of this is in a bundle. */

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

/** The properties of a tag, each of them optional. */
export type Settable<Host> = { [Key in SettableKey<Host>]?: Host[Key] | undefined };

/** `streamName` becomes `stream-name`. */
type Kebab<Name extends string> = Name extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `-${Lowercase<Head>}`}${Kebab<Rest>}`
  : Name;

type AttributeOf<Value> = Value extends string | number | boolean ? Value : never;

/** Boolean attributes that switch off what is on by default, and the properties that they set to false. */
interface OffAttributes {
  readonly 'camera-off': 'cameraEnabled';
  readonly 'microphone-off': 'microphoneEnabled';
  readonly 'no-echo-cancellation': 'echoCancellation';
  readonly 'no-noise-suppression': 'noiseSuppression';
  readonly 'no-auto-gain-control': 'autoGainControl';
}

type NamedAttributeOf<Host, Key extends keyof Host & string> = [AttributeOf<NonNullable<Host[Key]>>] extends [never]
  ? never
  : Key extends OffAttributes[keyof OffAttributes]
    ? never
    : Kebab<Key>;

/** The attributes of a tag, by their names. */
export type Attributes<Host> = {
  [Key in SettableKey<Host> & string as NamedAttributeOf<Host, Key>]?: AttributeOf<NonNullable<Host[Key]>> | undefined;
} & {
  [Name in keyof OffAttributes as OffAttributes[Name] extends SettableKey<Host> ? Name : never]?: boolean | undefined;
};
