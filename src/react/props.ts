import type { HTMLAttributes, ReactNode, Ref } from 'react';
import type { Attributes, EventOf, Settable } from '../markup/template-props.js';

/** The names of events by the names of their handlers: `onStreamLive: 'stream-live'`. */
export type Handlers<Name extends string = string> = Readonly<Record<`on${string}`, Name>>;

/** The props of a component: the properties of its tag, handlers of its events, and the attributes of all elements. */
export type Props<Host, Events extends Handlers> = Settable<Host> & {
  readonly [Handler in keyof Events]?: ((event: EventOf<Events[Handler]>) => void) | undefined;
} & Omit<HTMLAttributes<Host>, keyof Events | keyof Settable<Host>> & {
    readonly ref?: Ref<Host> | undefined;
    readonly children?: ReactNode;
  };

/** The props of the plain tag in JSX: its attributes, its properties, and its events as `onstream-live`. */
export type TagProps<Host, Names, Events extends Handlers> = Settable<Host> &
  Attributes<Host, Names> & {
    [Name in Extract<Events[keyof Events], string> as `on${Name}`]?: ((event: EventOf<Name>) => void) | undefined;
  } & Omit<HTMLAttributes<Host>, keyof Settable<Host>> & {
    readonly ref?: Ref<Host> | undefined;
    readonly key?: string | number | bigint | null | undefined;
    readonly class?: string | undefined;
    readonly children?: ReactNode;
  };
