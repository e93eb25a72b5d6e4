import { Stage } from '../Stage';

/** The server renders this page. The tags in it have no token until the browser runs `Stage`. */
export default function Page() {
  return (
    <main>
      <h1>Streamgate with Next.js</h1>
      <Stage />
    </main>
  );
}
