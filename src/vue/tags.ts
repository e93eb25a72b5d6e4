import type { HTMLAttributes, PublicProps } from 'vue';
import type { StreamBroadcasterElement } from '../elements/broadcaster/stream-broadcaster-element.js';
import type { StreamViewerElement } from '../elements/viewer/stream-viewer-element.js';
import type { StreamBroadcasterAttributes, StreamViewerAttributes } from '../markup/attribute-names.js';
import type { StreamBroadcasterEventName, StreamViewerEventName } from '../markup/event-names.js';
import type { Attributes, EventOf, Settable } from '../markup/template-props.js';

/** The handler of `stream-live` is `onStreamLive`: Vue compiles `@stream-live` to that. */
type Camel<Name extends string> = Name extends `${infer Head}-${infer Rest}`
  ? `${Capitalize<Head>}${Camel<Rest>}`
  : Capitalize<Name>;

/**
 * The attributes by the names that Vue's checker gives them: `camera-off` as `cameraOff`. Without `false`: Vue writes it
 * into the markup as a text, and a boolean attribute with any text is on.
 */
type CamelAttributes<Host, Names> = {
  [Name in keyof Names & string as Uncapitalize<Camel<Name>>]?: Exclude<Attributes<Host, Names>[Name], false>;
};

type Props<Host, Names, Name extends string> = Settable<Host> &
  Omit<CamelAttributes<Host, Names>, keyof Settable<Host>> & {
    [One in Name as `on${Camel<One>}`]?: ((event: EventOf<One>) => void) | undefined;
  } & {
    // The type checker writes `data-clip` as `dataClip`.
    [attribute: `data${Capitalize<string>}`]: unknown;
  } & Omit<HTMLAttributes, keyof Settable<Host>> &
  PublicProps;

/** A tag as a component for Vue's type checker: its props, and the element of a template ref. */
type Tag<Host, Names, Name extends string> = new () => Host & { readonly $props: Props<Host, Names, Name> };

declare module 'vue' {
  /** The slots of the tags are slots of the platform: an element is assigned by this attribute. */
  interface HTMLAttributes {
    slot?: string | undefined;
  }
  interface GlobalComponents {
    'stream-viewer': Tag<StreamViewerElement, StreamViewerAttributes, StreamViewerEventName>;
    'stream-broadcaster': Tag<StreamBroadcasterElement, StreamBroadcasterAttributes, StreamBroadcasterEventName>;
  }
}
