import { Component, CUSTOM_ELEMENTS_SCHEMA } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";
import "../search.gen.js";

@Component({
  selector: "app-root",
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `<knarr-search from="/search/" base="/"></knarr-search>
    <main><h1 id="x">Harbour</h1><p>Text <a href="#x">link</a> <code>code</code></p><button type="button">Button</button><input aria-label="Field" /><pre>lines</pre><ul><li>item</li></ul><blockquote>quote</blockquote><table><tbody><tr><td>cell</td></tr></tbody></table></main>`,
})
class App {}

bootstrapApplication(App);
