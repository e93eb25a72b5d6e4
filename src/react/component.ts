import {
  createElement,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  type FunctionComponent,
  type Ref,
} from 'react';
import type { Handlers, Props } from './props.js';

type Values = Readonly<Record<string, unknown>>;

/** React warns of `useLayoutEffect` on a server. */
const useBrowserEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

export interface Tag<Host, Events extends Handlers> {
  readonly tag: string;
  readonly elementClass: new () => Host;
  readonly events: Events;
  /** Properties that the class has only in browsers. */
  readonly inBrowsers?: readonly string[];
}

/**
 * Creates a component for a tag. It sets properties instead of attributes: a token is then not in the markup, and
 * functions and objects reach the tag unchanged. A property that is no longer given gets its initial value.
 */
export function component<Host extends HTMLElement, const Events extends Handlers>({
  tag,
  elementClass,
  events,
  inBrowsers = [],
}: Tag<Host, Events>): FunctionComponent<Props<Host, Events>> {
  const eventOf = new Map<string, string>(Object.entries(events));
  const isProperty = (name: string): boolean =>
    inBrowsers.includes(name) || (name in elementClass.prototype && !isOfEveryElement(name));

  function Component(given: object) {
    const { ref, ...props }: Values & { readonly ref?: Ref<Host> } = { ...given };
    const host = useRef<Host>(null);
    const latest = useRef<Values>({});
    const initial = useRef(new Map<string, unknown>());
    // A ref is called when the element comes and goes. Without this list, React calls it at each render.
    useImperativeHandle(ref, () => host.current!, []);

    // Listens before properties are set, because a property may cause an event at once.
    useBrowserEffect(() => {
      const life = new AbortController();
      for (const [handler, name] of eventOf) {
        const listener = (event: Event): void => {
          const callback = latest.current[handler];
          if (typeof callback === 'function') callback(event);
        };
        host.current!.addEventListener(name, listener, { signal: life.signal });
      }
      return () => life.abort();
    }, []);

    useBrowserEffect(() => {
      const element = host.current!;
      const before = latest.current;
      latest.current = props;
      for (const name of new Set([...Object.keys(before), ...Object.keys(props)])) {
        if (!isProperty(name) || before[name] === props[name]) continue;
        if (!initial.current.has(name)) initial.current.set(name, Reflect.get(element, name));
        Reflect.set(element, name, props[name] === undefined ? initial.current.get(name) : props[name]);
      }
    });

    const forReact = Object.entries(props).filter(([name]) => !isProperty(name) && !eventOf.has(name));
    return createElement(tag, { ...Object.fromEntries(forReact), ref: host });
  }
  Component.displayName = tag.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Component;
}

const isOfEveryElement = (name: string): boolean => typeof HTMLElement !== 'undefined' && name in HTMLElement.prototype;
