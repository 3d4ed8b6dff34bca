// What every site does with the package: both imports at once. The runner puts this file beside each site's own.
import { Knarr } from "knarr";
import "knarr/element";

// No await at the top: older targets of the tools do not have it.
async function search() {
  const knarr = await Knarr.open("/search/");
  const { resources } = await knarr.find("bowline");
  const { count } = await knarr.grep("viking://resources/harbour", "bowline");
  return `${resources[0].title} ${count}`;
}

search().then((answer) => (document.documentElement.dataset.answer = answer), (error) => console.error(String(error)));
