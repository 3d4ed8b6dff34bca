import Link from "next/link";

export default function Page() {
  return <main>
    <h1 id="x">Harbour</h1><p>Text <a href="#x">link</a> <code>code</code></p><button type="button">Button</button><input aria-label="Field" /><pre>lines</pre><ul><li>item</li></ul><blockquote>quote</blockquote><table><tbody><tr><td>cell</td></tr></tbody></table>
    <p><Link href="/guide/settings">Settings</Link></p>
  </main>;
}
