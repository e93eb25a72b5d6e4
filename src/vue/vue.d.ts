/** The types of Vue that this package uses. An application has the real ones; this build works without Vue. */
declare module 'vue' {
  interface GlobalComponents {}
  interface HTMLAttributes {}
  interface PublicProps {}
}
