import Link from "next/link";

const REMARK = "The keeper reads the gauge at dawn and writes the level of the harbour into the book.";

export default function Page() {
  return <main>
    <h1>Settings</h1>
    {Array.from({ length: 40 }, (_, at) => <p key={at}>{REMARK}</p>)}
    <h2 id="timeout">Timeout</h2>
    <p>The option <code>timeoutMs</code> says how long the station waits.</p>
    {Array.from({ length: 40 }, (_, at) => <p key={at}>{REMARK}</p>)}
    <Link href="/guide/settings">Settings</Link>
  </main>;
}
