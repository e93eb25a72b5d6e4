/** The light build has the types of the whole library, which come without the name of this entry. */
declare module 'hls.js/light' {
  export { default } from 'hls.js';
}
