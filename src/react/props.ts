import type { HTMLAttributes, ReactNode, Ref } from 'react';
import type { Attributes, EventOf, Settable } from '../markup/template-props.js';

/** The names of events by those of their handlers: `onStreamLive: 'stream-live'`. */
export type Handlers<Name extends string = string> = Readonly<Record<`on${string}`, Name>>;

/** What a component takes: the properties of its tag, handlers of its events, and what all elements take. */
export type Props<Host, Events extends Handlers> = Settable<Host> & {
  readonly [Handler in keyof Events]?: ((event: EventOf<Events[Handler]>) => void) | undefined;
} & Omit<HTMLAttributes<Host>, keyof Events | keyof Settable<Host>> & {
    readonly ref?: Ref<Host> | undefined;
    readonly children?: ReactNode;
  };

/** What the plain tag takes in JSX: attributes by their own names, properties, and its events as `onstream-live`. */
export type TagProps<Host, Names, Events extends Handlers> = Settable<Host> &
  Attributes<Host, Names> & {
    [Name in Extract<Events[keyof Events], string> as `on${Name}`]?: ((event: EventOf<Name>) => void) | undefined;
  } & Omit<HTMLAttributes<Host>, keyof Settable<Host>> & {
    readonly ref?: Ref<Host> | undefined;
    readonly key?: string | number | bigint | null | undefined;
    readonly class?: string | undefined;
    readonly children?: ReactNode;
  };
