/** What we need of Vue's types: an application brings its own, and our build does without Vue. */
declare module 'vue' {
  interface GlobalComponents {}
  interface HTMLAttributes {}
  interface PublicProps {}
}
