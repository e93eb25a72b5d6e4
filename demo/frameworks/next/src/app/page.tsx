import { Stage } from '../Stage';

/** Written by the server. The tags in it are elements without a token until the browser runs `Stage`. */
export default function Page() {
  return (
    <main>
      <h1>Streamgate with Next.js</h1>
      <Stage />
    </main>
  );
}
