/** The types of Svelte that this package uses. An application has the real ones; this build works without Svelte. */
declare module 'svelte/elements' {
  interface SvelteHTMLElements {}
  interface HTMLAttributes<T extends EventTarget> {}
}
