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

/** On a server there is nothing to lay out, and React says so. */
const useBrowserEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

export interface Tag<Host, Events extends Handlers> {
  readonly tag: string;
  readonly elementClass: new () => Host;
  readonly events: Events;
  /** Properties that the class has in browsers alone. */
  readonly inBrowsers?: readonly string[];
}

/**
 * A component for a tag. Properties are set, not written as attributes: so a token is in no markup, and functions and
 * objects reach the tag as they are. A property that is no longer given gets back what it had at first.
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
    useImperativeHandle(ref, () => host.current!);

    // Listens before anything is set: what is set may be answered at once.
    useBrowserEffect(() => {
      const life = new AbortController();
      for (const [handler, name] of eventOf) {
        const tell = (event: Event): void => {
          const listener = latest.current[handler];
          if (typeof listener === 'function') listener(event);
        };
        host.current!.addEventListener(name, tell, { signal: life.signal });
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
