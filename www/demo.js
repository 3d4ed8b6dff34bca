/** Shows what the bundle holds once it is open, and carries the question to its trace. The search itself needs no script of the page's own. */

const facts = document.getElementById("facts");
const panel = document.getElementById("panel");
const trace = document.getElementById("trace");

// The question is traced that was asked here.
trace.addEventListener("click", () => {
  const query = panel.shadowRoot?.querySelector("[part=input]")?.value.trim();
  trace.search = query ? new URLSearchParams({ query }) : "";
});

panel.addEventListener("focusin", showFacts, { once: true });

async function showFacts() {
  try {
    const knarr = await panel.bundle();
    const { files, sections, terms, bytes } = await knarr.inspect();
    const number = new Intl.NumberFormat(document.documentElement.lang);
    const size = new Intl.NumberFormat(document.documentElement.lang, {
      style: "unit", unit: "megabyte", maximumFractionDigits: 1,
    });
    facts.textContent =
      `${number.format(files)} pages · ${number.format(sections)} sections · ${number.format(terms)} words · ` +
      `${size.format(bytes / 1e6)} of static files, fetched in parts`;
    facts.hidden = false;
  } catch {
    // The search field itself shows what is wrong and how to try again.
  }
}
