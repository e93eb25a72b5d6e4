/** A style sheet of a page. Vite makes a file of it, which is loaded with the code that imports it. */
declare module '*.css';
