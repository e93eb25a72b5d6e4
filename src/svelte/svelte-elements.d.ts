/** What we need of Svelte's types: an application brings its own, and our build does without Svelte. */
declare module 'svelte/elements' {
  interface SvelteHTMLElements {}
  interface HTMLAttributes<T extends EventTarget> {}
}
